"""Cases of tsm/library/products.py and tsm/linalg.py."""

from __future__ import annotations

import numpy as np

from .library import FLOATS, NUMBERS, cases, failing
from .sample import noise

DEFINITE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]])
HEADS = {"q": noise(2, 3, 4, 5, seed=30), "k": noise(2, 3, 6, 5, seed=31)}

CASES = [
    *cases(FLOATS, "torch.einsum('ij,jk->ik', mat, mat2)", "torch.einsum('bij,bjk->bik', batch, batch2)", "torch.einsum('bij, bjk -> bki', batch, batch2)",
           "torch.einsum('bij,jk', batch, mat2)", "torch.einsum('i,j->ij', v, w)", "torch.einsum('i,i', v, w)", "torch.einsum('i,i->i', v, w)", "torch.einsum('ii->i', square)",
           "torch.einsum('ii', square)", "torch.einsum('bii->b', squares)", "torch.einsum('ij->ji', x)", "torch.einsum('ji', x)", "torch.einsum('ij->', x)", "torch.einsum('ij->j', x)",
           "torch.einsum('...ij,...jk->...ik', batch, batch2)", "torch.einsum('...i,...i->...', cube, other)", "torch.einsum('b...,b...->...', cube, other)", "torch.einsum('i...->...i', cube)",
           "torch.einsum('...', x)", "torch.einsum('...a,a', batch, v)", "torch.einsum('ab,bc,cd->ad', mat, mat2, three)", "torch.einsum('ij,ij,i->j', x, y, x[:, 0])",
           "torch.einsum('bxi,oij,byj->boxy', batch, noise3, batch)", "torch.einsum('ij,kl->ikjl', x, mat)", "torch.einsum('ij,j->i', [mat, v])", "torch.einsum('i,->i', v, zero_d)",
           "torch.einsum('ab,ab->ab', x, x[:1])", "torch.einsum('ab,ab->', x, x[:1])", "torch.einsum('Ab,bC->AC', mat, mat2)", "torch.einsum('ij,jk->ik', mat[:0], mat2)",
           "torch.einsum('ij,jk->ik', mat[:, :0], mat2[:0])", "torch.einsum('aab,b->a', squares[:, :2, :3], v[:3])", noise3=noise(2, 5, 5, seed=20), rtol=5e-5),
    *cases(FLOATS, "torch.einsum('bhid,bhjd->bhij', q, k)", "torch.einsum('bhid,bhjd->bijh', q, k)", "torch.einsum('bhij,bhjd->bihd', torch.einsum('bhid,bhjd->bhij', q, k), k)",
           "torch.einsum('bhid,hd->bhi', q, k[0, :, 0])", "torch.einsum('...hid,...hjd->...hij', q, k[:1])", rtol=5e-5, **HEADS),
    *cases(("int64", "int32"), "torch.einsum('ij,jk->ik', x.to(torch.int64), three.to(torch.int64))", "torch.einsum('ij->i', x)"),
    *cases(NUMBERS, "torch.dot(v, w)", "v.dot(w)", "torch.vdot(v, w)", "v.vdot(w)", "torch.inner(v, w)", "v.inner(zero_d)", "torch.outer(v, three[0])", "v.outer(w)", "torch.ger(v, w)",
           "v.ger(w)", "torch.mv(mat, v)", "mat.mv(v)", "mat[:0].mv(v)", rtol=1e-4),
    *cases(FLOATS, "torch.inner(batch, mat)", "x.inner(y)", "torch.addmm(x, mat, mat2)", "x[0].addmm(mat, mat2, beta=0.5, alpha=2)", "x.addmm(mat, mat2, beta=0)", "torch.addmv(x[:, 0], mat, v)",
           "x[:, 0].addmv(mat, v, alpha=2)", "torch.addr(x, x[:, 0], x[0])", "x.addr(x[:, 0], x[0], beta=2)", "torch.baddbmm(cube, batch, batch2)", "cube.baddbmm(batch, batch2, beta=0.1, alpha=0.3)",
           "torch.addbmm(x, batch, batch2)", "x.addbmm(batch, batch2, alpha=2)", "torch.tensordot(batch, batch2, dims=([2, 0], [1, 0]))", "torch.tensordot(mat, mat2, 1)",
           "torch.tensordot(cube, other, dims=3)", "torch.tensordot(v, w, 0)", "torch.kron(x, mat)", "v.kron(x)", "square.kron(zero_d)", rtol=5e-5),
    *cases(NUMBERS, "torch.cross(three, three2, dim=1)", "three.cross(three2, -1)", "torch.linalg.cross(three, three2)", "torch.linalg.cross(three.t(), three2.t(), dim=0)"),
    *cases(FLOATS, "torch.cdist(three, three2)", "torch.cdist(batch, batch[:, :2])", "torch.cdist(three, three2, p=1)", "torch.cdist(three, three2, math.inf)", "torch.cdist(three, three2, p=0.0)",
           "torch.cdist(three, three2, 3.0)", "torch.cdist(big, big[:3] + 0.5)", "torch.cdist(big, big + 1, compute_mode='donot_use_mm_for_euclid_dist')", "torch.cdist(three[:0], three2)",
           rtol=2e-4),
    *cases(FLOATS, "square.matrix_power(3)", "torch.matrix_power(squares, 2)", "square.matrix_power(0)", "square.matrix_power(-2)", "torch.linalg.matrix_power(square, 5)",
           "torch.bilinear(batch, batch * 2, w3)", "F.bilinear(batch, batch, w3, w3[:, 0, 0])", w3=noise(4, 5, 5, seed=21), rtol=2e-4),
    *cases(FLOATS, "torch.inverse(square)", "squares.inverse()", "torch.linalg.inv(squares)", "torch.linalg.solve(square, x)", "torch.linalg.solve(square, x[:, 0])",
           "torch.linalg.solve(squares, squares[:, 0])", "torch.linalg.solve(squares, x)", "torch.linalg.solve(square, x.t(), left=False)", "torch.det(square)", "squares.det()",
           "torch.linalg.det(squares[:, :2, :2])", "torch.slogdet(squares)", "square.slogdet().logabsdet", "torch.linalg.slogdet(square)[0]", "torch.logdet(squares)", "square.logdet()",
           "torch.linalg.det(ties[:2, :2])", "torch.det(square * 0).abs()", "torch.cholesky(pd)", "pd.cholesky(True)", "torch.linalg.cholesky(pd)", "torch.linalg.cholesky(pd.expand(2, 3, 3))",
           "torch.inverse(square[[2, 0, 1]])", "torch.linalg.inv(squares[:0])", pd=DEFINITE, rtol=2e-3),
    *cases(FLOATS, "torch.linalg.norm(x)", "torch.linalg.norm(x, 'fro')", "torch.linalg.norm(x, 1)", "torch.linalg.norm(x, -1)", "torch.linalg.norm(x, math.inf, keepdim=True)", "torch.linalg.norm(v, 1)",
           "torch.linalg.norm(cube, dim=(0, 2))", "torch.linalg.norm(cube, 3, dim=1)", "torch.linalg.norm(cube, -math.inf, dim=(1, 2), keepdim=True)", "torch.linalg.norm(v, 2, 0)",
           "torch.linalg.vector_norm(x)", "torch.linalg.vector_norm(x, 1, dim=-1)", "torch.linalg.vector_norm(cube, ord=math.inf, dim=(0, 1), keepdim=True)",
           "torch.linalg.vector_norm(x, dtype=torch.float64)", "torch.linalg.matrix_norm(cube)", "torch.linalg.matrix_norm(cube, 1)", "torch.linalg.matrix_norm(cube, -math.inf, (0, 1), True)",
           "torch.linalg.multi_dot([mat, mat2, three])", "torch.linalg.multi_dot((v, mat2))", "torch.linalg.diagonal(squares)", "torch.linalg.diagonal(squares, offset=1, dim1=0)",
           "torch.linalg.vecdot(x, y)", "torch.linalg.vecdot(x, y, dim=0)", "torch.linalg.matmul(mat, mat2)", rtol=5e-5),
]

FAILURES = [
    failing("torch.einsum('ij,jk->ik', mat)", "RuntimeError", "more subscripts"),
    failing("torch.einsum('ij->ij', mat, mat)", "RuntimeError", "fewer subscripts"),
    failing("torch.einsum('i,jk->ik', mat, mat2)", "RuntimeError", "does not match the number"),
    failing("torch.einsum('ij,jk->ik', mat, mat)", "RuntimeError", "does not broadcast"),
    failing("torch.einsum('ij,jk->iz', mat, mat2)", "RuntimeError", "does not appear"),
    failing("torch.einsum('ij,jk->ii', mat, mat2)", "RuntimeError", "more than once"),
    failing("torch.einsum('i1->i', mat)", "RuntimeError", "invalid subscript"),
    failing("torch.einsum('ii->i', mat)", "RuntimeError", "repeated"),
    failing("torch.dot(x, v)", "RuntimeError", "1D tensors expected"),
    failing("torch.dot(v, three[0])", "RuntimeError", "inconsistent tensor size"),
    failing("torch.dot(v, v.double())", "RuntimeError", "same dtype"),
    failing("x.outer(v)", "RuntimeError", "1-D"),
    failing("x.mv(x)", "RuntimeError", "expected"),
    failing("torch.addmm(x, v, mat2)", "RuntimeError", "dimensions"),
    failing("torch.baddbmm(x, mat, batch2)", "RuntimeError", "dimensions", only_ours=True),
    failing("x.inner(v)", "RuntimeError", "last dimension"),
    failing("torch.tensordot(mat, mat, 1)", "RuntimeError", "contracted dimensions"),
    failing("torch.cross(v, w)", "RuntimeError", ""),
    failing("torch.linalg.cross(v, w)", "RuntimeError", "must have length 3"),
    failing("torch.cdist(x, mat)", "RuntimeError", "same number of columns"),
    failing("torch.cdist(v, v)", "RuntimeError", "at least 2D"),
    failing("torch.linalg.inv(x)", "RuntimeError", "square"),
    failing("torch.inverse(square * 0)", "RuntimeError", "singular", only_ours=True),
    failing("torch.linalg.solve(square * 0, x)", "RuntimeError", "singular", only_ours=True),
    failing("torch.linalg.cholesky(square - 9 * square)", "RuntimeError", "positive-definite", only_ours=True),
    failing("torch.det(v)", "RuntimeError", "at least 2"),
    failing("torch.linalg.matrix_norm(v)", "IndexError", "Dimension out of range", only_ours=True),
    failing("torch.linalg.matrix_norm(x, 2)", "ValueError", "singular values", only_ours=True),
    failing("torch.linalg.norm(cube, 2)", "RuntimeError", "1D or 2D"),
    failing("torch.linalg.multi_dot([mat])", "RuntimeError", "at least 2"),
    failing("torch.matrix_power(x, 2)", "RuntimeError", "square"),
]
