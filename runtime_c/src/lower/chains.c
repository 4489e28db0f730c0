/* chains.c - convolutions that only feed each other, found before anything else is known of a function.
 * In: verified nodes. Out: the nodes of a chain side by side, what stood between them moved before them; the first
 * one's result is marked with their number.
 * Holds: only what makes new values, reads nothing that can change and cannot raise is moved, and that in its order.
 *
 *     %y = fused (... conv2d(%x, 1x1), hardtanh ...)         %s = list(%two, %two)
 *     %s = list(%two, %two)                            =>    %y = fused (... conv2d(%x, 1x1), hardtanh ...)
 *     %z = fused (... conv2d(%y, depthwise, %s) ...)         %z = fused (... conv2d(%y, depthwise, %s) ...)
 */
#include "kernels/fused.h"
#include "lower.h"

enum { LINKS_MAX = 3, INPUT = 0, WEIGHT = 1, GROUPS = 6 }; /* operands of conv2d */
enum { NO_LINK, POINTWISE, DEPTHWISE };

typedef struct finder {
  lowering *l;
  uint32_t *uses;          /* by value */
  const tsm_pair **consts; /* by value: of a const node */
} finder;

static void note_block(finder *v, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    for (uint32_t k = 0; k < n->operand_count; k++) v->uses[n->operands[k]]++;
    if (n->code == TSM_N_CONST) v->consts[n->first_result] = n->of.constant;
    for (uint16_t k = 0; k < n->block_count; k++) note_block(v, &n->blocks[k]);
  }
}

/* The convolution of a node, NULL if it is not one with one result. */
static const tsm_node *conv_of(const finder *v, const tsm_node *n) {
  if (n->result_count != 1) return NULL;
  if (n->code == TSM_N_FUSED) n = &n->blocks[0].nodes[0];
  return n->code == TSM_N_OPERATOR && n->of.op == v->l->conv2d ? n : NULL;
}

/* The value outside of the node that its convolution has as operand `index`; NO_VALUE: left out. */
static uint32_t operand_of(const tsm_node *n, const tsm_node *conv, uint32_t index) {
  if (index >= conv->operand_count) return NO_VALUE;
  uint32_t value = conv->operands[index];
  if (n == conv) return value;
  uint32_t param = value - n->blocks[0].first_param;
  return param < n->blocks[0].param_count ? n->operands[param] : NO_VALUE;
}

static int64_t groups_of(const finder *v, const tsm_node *n, const tsm_node *conv) {
  uint32_t value = operand_of(n, conv, GROUPS);
  if (value == NO_VALUE) return 1;
  return v->consts[value] && v->consts[value]->tag == TSM_INT ? v->consts[value]->as.i : 0;
}

/* By the weight, which must be a tensor of the file. */
static int kind_of(const finder *v, const tsm_node *n) {
  const tsm_node *conv = conv_of(v, n);
  uint32_t value = conv ? operand_of(n, conv, WEIGHT) : NO_VALUE;
  const tsm_pair *constant = value == NO_VALUE ? NULL : v->consts[value];
  if (!constant || constant->tag != TSM_TENSOR) return NO_LINK;
  const tsm_file_tensor *weight = &v->l->program->tensors[constant->as.i];
  int64_t groups = groups_of(v, n, conv);
  if (weight->rank != 4 || weight->dtype != TSM_F32) return NO_LINK;
  if (groups > 1) return weight->dims[0] == groups && weight->dims[1] == 1 ? DEPTHWISE : NO_LINK;
  return groups == 1 && weight->dims[2] == 1 && weight->dims[3] == 1 ? POINTWISE : NO_LINK;
}

/* Whether `value` is the input of the node's convolution and not used otherwise, anywhere. */
static bool is_only_input(const finder *v, const tsm_node *n, uint32_t value) {
  const tsm_node *conv = conv_of(v, n);
  return conv && operand_of(n, conv, INPUT) == value && v->uses[value] == 1 && v->uses[conv->operands[INPUT]] == 1;
}

static bool can_move(const tsm_node *n) {
  return n->code == TSM_N_CONST || n->code == TSM_N_LIST || n->code == TSM_N_WIDEN;
}

/* The next link after node i: its place, or 0. */
static uint32_t next_link(const finder *v, const tsm_block *b, uint32_t i, int kind) {
  uint32_t value = b->nodes[i].first_result;
  while (++i < b->node_count && can_move(&b->nodes[i])) continue;
  return i < b->node_count && kind_of(v, &b->nodes[i]) == kind && is_only_input(v, &b->nodes[i], value) ? i : 0;
}

/* The places of the links of a chain that starts at node i; how many: fewer than two are none. */
static uint32_t find_links(const finder *v, const tsm_block *b, uint32_t i, uint32_t *at) {
  uint32_t count = 1;
  int kind = kind_of(v, &b->nodes[i]);
  if (kind == NO_LINK) return 0;
  for (at[0] = i; count < LINKS_MAX; count++) {
    kind = kind == DEPTHWISE ? POINTWISE : count == 1 ? DEPTHWISE : NO_LINK;
    if (!kind || !(at[count] = next_link(v, b, at[count - 1], kind))) break;
  }
  return count;
}

/* Moves the nodes in between before the first link; returns its new place. */
static uint32_t put_together(tsm_block *b, const uint32_t *at, uint32_t count) {
  tsm_node links[LINKS_MAX];
  uint32_t to = at[0], link = 0;
  for (uint32_t i = at[0]; i <= at[count - 1]; i++) {
    if (i == at[link]) links[link++] = b->nodes[i];
    else b->nodes[to++] = b->nodes[i];
  }
  memcpy(&b->nodes[to], links, count * sizeof *links);
  return to;
}

static void walk(finder *v, tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    uint32_t at[LINKS_MAX], count = find_links(v, b, i, at);
    if (count > 1) {
      i = put_together(b, at, count);
      info_of(v->l, b->nodes[i].first_result)->links = (uint8_t)count;
      i += count - 1;
    } else if (b->nodes[i].code != TSM_N_FUSED) {
      for (uint16_t k = 0; k < b->nodes[i].block_count; k++) walk(v, &b->nodes[i].blocks[k]);
    }
  }
}

static bool has_conv(const lowering *l, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    if (b->nodes[i].code == TSM_N_OPERATOR && b->nodes[i].of.op == l->conv2d) return true;
    for (uint16_t k = 0; k < b->nodes[i].block_count; k++)
      if (has_conv(l, &b->nodes[i].blocks[k])) return true;
  }
  return false;
}

bool tsm_lower_find_chains(lowering *l, tsm_function *f) {
  if (l->rt->tuning.no_fusion || l->rt->tuning.no_chains || !has_conv(l, &f->body)) return true;
  finder v = {l, tsm_arena_alloc(&l->scratch, f->value_count, sizeof *v.uses),
              tsm_arena_alloc(&l->scratch, f->value_count, sizeof *v.consts)};
  if (!v.uses || !v.consts) return tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  note_block(&v, &f->body);
  walk(&v, &f->body);
  return true;
}

/* ---- Emission */

void tsm_emit_chain(lowering *l, const tsm_node *n) {
  uint8_t links = n->result_count ? info_of(l, n->first_result)->links : 0;
  if (!links) return;
  l->chain = tsm_arena_alloc(&l->program->arena, 1, sizeof *l->chain);
  if (!l->chain) {
    tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
    return;
  }
  l->chain_link = n;
  l->chain_left = links;
  l->is_chain_broken = false;
  l->chain_exits = tsm_emit_jump(l, tsm_word(TSM_C_CHAIN, 0, 0, 0), 0);
  tsm_emit(l, (uint64_t)(uintptr_t)l->chain);
}

void tsm_lower_add_link(lowering *l, const tsm_node *n, const tsm_fused *plan) {
  if (n != l->chain_link) return;
  if (plan) l->chain->links[l->chain->count++] = plan;
  else l->is_chain_broken = true;
}

void tsm_emit_chain_end(lowering *l, const tsm_node *n) {
  if (n != l->chain_link) return;
  l->chain_link = --l->chain_left ? n + 1 : NULL;
  if (l->chain_link) return;
  if (l->is_chain_broken) l->chain->count = 0;
  tsm_lower_patch_chain(l, l->chain_exits, l->code_length);
}
