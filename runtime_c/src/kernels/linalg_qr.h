/* linalg_qr.h - the reduction of columns by reflections, which QR and singular values share. */
#ifndef TSM_LINALG_QR_H
#define TSM_LINALG_QR_H

#include "linalg.h"

/* a becomes upper triangular in its first v->rows columns; v, of a->rows columns, gets the reflections that did it as
 * rows, tau their scales. scratch: tsm_reflect_doubles(a->columns). */
tsm_status tsm_reduce_columns(tsm_linalg *l, tsm_block *a, tsm_block *v, double *tau, const tsm_block *scratch);

#endif
