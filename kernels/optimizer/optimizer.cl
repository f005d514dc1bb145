/* Steps of optimisers; netcl.h has the formulas. Operands are the parameter, its gradient, up to
 * three states and a master. Options: those of group.cl; RULE 0 sgd, 1 adam, 2 rmsprop, 3 adagrad;
 * NAME, the rule's; STATE0 ... STATE2 and MASTER the operands that these are, -1 for none;
 * NESTEROV, DECOUPLED and DAMPENING 1 where that is so. `share` is 1 - dampening, 1 - beta1 or
 * 1 - alpha. */
#include "group.cl"

/* States and masters have the type that is computed in. */
#define STATE(o) NETCL_JOIN(m, o)[NETCL_JOIN(at, o) + i]
#define ONE ((REAL)1)

#define CONTROLS                                                                               \
  const __global long *step, const long step_at, const __global float *factor,                 \
      const long factor_at, const __global float *scale, const long scale_at,                  \
      const __global float *found_inf, const long found_inf_at
#define NUMBERS                                                                                \
  const REAL learning_rate, const REAL weight_decay, const REAL momentum, const REAL share,    \
      const REAL beta2, const REAL square_share, const REAL log_beta1, const REAL log_beta2,   \
      const REAL epsilon, const REAL learning_rate_decay

/* 1 - beta^t, without cancellation. */
#define CORRECTION(log_beta) (-expm1(t * (log_beta)))
#define AVERAGE(o) (STATE(o) += share * (g - STATE(o)))
#define SQUARES(o) (STATE(o) = beta2 * STATE(o) + square_share * g * g)

__kernel void NETCL_JOIN(netcl_, NAME)(CONTROLS, NUMBERS GROUP_ARGUMENTS) {
  if (found_inf != 0 && found_inf[found_inf_at] != 0.0f) return;
  TAKE_GROUP
  const REAL done = step != 0 ? (REAL)step[step_at] : (REAL)0;
  const REAL t = done + ONE;
  const REAL unscaled = scale != 0 ? ONE / (REAL)scale[scale_at] : ONE;
  REAL rate = factor != 0 ? learning_rate * (REAL)factor[factor_at] : learning_rate;
#if DECOUPLED
  const REAL shrink = ONE - rate * weight_decay;
#endif
#if RULE == 0
  const bool starts = DAMPENING && done == (REAL)0;
  const REAL kept = starts ? (REAL)0 : momentum;
  const REAL taken = starts ? ONE : share;
#elif RULE == 1
  rate /= CORRECTION(log_beta1);
  const REAL root = ONE / sqrt(CORRECTION(log_beta2));
#elif RULE == 3
  rate /= ONE + done * learning_rate_decay;
#endif
  FOR_ELEMENT(i) {
#if MASTER >= 0
    REAL p = STATE(MASTER);
#else
    REAL p = GET(O0, 0, i);
#endif
    REAL g = GET(O1, 1, i) * unscaled;
#if DECOUPLED
    p *= shrink;
#else
    if (weight_decay != (REAL)0) g += weight_decay * p;
#endif
#if RULE == 0 && STATE0 >= 0
    const REAL b = STATE(STATE0) = kept * STATE(STATE0) + taken * g;
    g = NESTEROV ? g + momentum * b : b;
#elif RULE == 1
    const REAL m = AVERAGE(STATE0);
    REAL v = SQUARES(STATE1);
#if STATE2 >= 0
    const REAL most = STATE(STATE2);
    v = STATE(STATE2) = most >= v || isnan(most) ? most : v;
#endif
    g = m / (sqrt(v) * root + epsilon);
#elif RULE == 2
    REAL v = SQUARES(STATE0);
#if STATE2 >= 0
    const REAL m = AVERAGE(STATE2);
    v -= m * m;
    v = v < (REAL)0 ? (REAL)0 : v;
#endif
    g /= sqrt(v) + epsilon;
#if STATE1 >= 0
    g = STATE(STATE1) = momentum * STATE(STATE1) + g;
#endif
#elif RULE == 3
    g /= sqrt(STATE(STATE0) += g * g) + epsilon;
#endif
    p -= rate * g;
#if MASTER >= 0
    STATE(MASTER) = p;
#endif
    PUT(O0, p, 0, i);
  }
}
