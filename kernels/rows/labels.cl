/* The labels of rows, what they weigh, and where the loss of a row goes.
 *
 * Options: I the type of labels; W the dtype of the weights; WEIGHTED 1 when there are weights;
 * IGNORES 1 when a label is ignored; Y the dtype of the loss; PAIRS 1 when losses and weights stand
 * side by side, to be summed. `n` is the number of classes. A label that is ignored has the weight
 * 0, one that is no class has NaN. */

#define LABEL_ARGUMENTS                                                                   \
  const __global I *labels, const Layout label_rows, const __global STORAGE(W) *weights,  \
      const long weights_base, const long weights_step, const long ignored

#if IGNORES
#define IS_IGNORED(label) ((label) == ignored)
#else
#define IS_IGNORED(label) false
#endif
#define COUNTS(label) ((label) >= 0 && (label) < n && !IS_IGNORED(label))

#if WEIGHTED
#define CLASS_WEIGHT(label) ((REAL)LOAD(W, weights, weights_base + (label) * weights_step))
#else
#define CLASS_WEIGHT(label) ((REAL)1)
#endif
#define LABEL_WEIGHT(label) \
  (COUNTS(label) ? CLASS_WEIGHT(label) : IS_IGNORED(label) ? (REAL)0 : (REAL)NAN)

#define LOSS_ARGUMENTS __global STORAGE(Y) *losses, const Layout loss_rows
#if PAIRS
#define STORE_LOSS(row, value, weight)                        \
  const long place = netcl_at(&loss_rows, row);               \
  STORE(Y, value, losses, place);                             \
  STORE(Y, weight, losses, place + 1);
#else
#define STORE_LOSS(row, value, weight) STORE(Y, value, losses, netcl_at(&loss_rows, row));
#endif
