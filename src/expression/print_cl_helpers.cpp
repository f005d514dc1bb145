#include "expression/print_cl_helpers.hpp"

#include <cstring>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "expression/print_cl.hpp"

namespace netcl::expression {

namespace {

// Minimum and maximum give NaN when either argument is NaN, unlike fmin and fmax.
constexpr Helper kHelpers[] = {
    {"sign", true, "(const $T x) { return NX_IF$w(x > 0, ($T)(1), NX_IF$w(x < 0, ($T)(-1), x)); }",
     {}, false},
    {"relu", true, "(const $T x) { return NX_IF$w(x <= 0, ($T)(0), x); }", {}, false},
    {"min", true, "(const $T x, const $T y) { return NX_IF$w((x < y) | (x != x), x, y); }", {},
     false},
    {"max", true, "(const $T x, const $T y) { return NX_IF$w((x > y) | (x != x), x, y); }", {},
     false},
    {"clamp", true,
     "(const $T x, const $T low, const $T high) { return $(min)($(max)(x, low), high); }",
     {"min", "max"}, false},
    {"reciprocal", true, "(const $T x) { return ($T)(1) / x; }", {}, false},
    {"sigmoid", true,
     "(const $T x) {\n"
     "  const $T e = exp(-fabs(x));\n"
     "  return NX_IF$w(x >= 0, ($T)(1), e) / (($T)(1) + e);\n}",
     {}, false},
    {"silu", true, "(const $T x) { return x * $(sigmoid)(x); }", {"sigmoid"}, false},
    {"gelu", true,
     "(const $T x) { return ($T)(0.5$f) * x * erfc(x * ($T)(-0x1.6a09e667f3bcdp-1$f)); }", {},
     false},
    // f32, where erfc takes several branches and loses digits in the tail: x times the normal
    // distribution's share below x, as the CPU loops have it. The share beyond |x| is e^(-x^2 / 2)
    // times a polynomial in 1 / (1 + 0.3 |x|), within 5e-9 of it; the square is taken apart, so
    // that its rounding does not show. A step of Newton's makes up for what the reciprocal lacks.
    {"gelu_f32", true,
     "(const $T x) {\n"
     "  const $T a = fmin(fabs(x), ($T)(14.5f));\n"
     "  const $T head = as_$T(as_$U(a) & 0xfffff000u);\n"
     "  const $T low = -0.5f * (a - head) * (a + head);\n"
     "  $T more = fma(low, ($T)(0x1.555556p-5f), ($T)(0x1.555556p-3f));\n"
     "  more = low * fma(low, fma(low, more, ($T)(0.5f)), ($T)(1));\n"
     "  const $T high = exp(-0.5f * head * head);\n"
     "  const $T e = fma(high, more, high);\n"
     "  const $T w = 0.3f * a;\n"
     "  const $T y = native_recip(w + 1.0f);\n"
     "  const $T t = fma(fma(-w, y, 1.0f - y), y, y);\n"
     "  const $T q = t - 0.59375f;\n"
     "  $T p = fma(q, ($T)(-0.0209560245f), ($T)(0.002273686f));\n"
     "  p = fma(p, q, ($T)(0.0442370772f));\n"
     "  p = fma(p, q, ($T)(-0.00950030889f));\n"
     "  p = fma(p, q, ($T)(-0.0907412916f));\n"
     "  p = fma(p, q, ($T)(-0.0109780943f));\n"
     "  p = fma(p, q, ($T)(0.225666478f));\n"
     "  p = fma(p, q, ($T)(0.409516335f));\n"
     "  p = fma(p, q, ($T)(0.399991363f));\n"
     "  p = fma(p, q, ($T)(0.256056696f));\n"
     "  const $T beyond = fmax(a, -x) * t * p;\n"
     "  return NX_IF$w(x != x, x, fma(-e, beyond, fmax(x, ($T)(0))));\n}",
     {}, false},
    {"gelu_tanh", true,
     "(const $T x) {\n"
     "  const $T u = x + ($T)(0x1.6e4e26d4801f7p-5$f) * x * x * x;\n"
     "  return x * $(sigmoid)(($T)(0x1.9884533d43651p+0$f) * u);\n}",
     {"sigmoid"}, false},
    {"softplus", true, "(const $T x) { return $(max)(x, ($T)(0)) + log1p(exp(-fabs(x))); }",
     {"max"}, false},
    {"softsign", true, "(const $T x) { return x / (($T)(1) + fabs(x)); }", {}, false},
    // tanh(softplus(x)) is a quotient of polynomials in e^-|x|, so nothing cancels or overflows.
    {"mish", true,
     "(const $T x) {\n"
     "  const $T e = exp(-fabs(x));\n"
     "  const $T two = ($T)(2);\n"
     "  const $T one = ($T)(1);\n"
     "  const $T up = NX_IF$w(x >= 0, two * e + one, e * (e + two));\n"
     "  const $T down = NX_IF$w(x >= 0, two * e * (e + one) + one, e * (e + two) + two);\n"
     "  return x * (up / down);\n}",
     {}, false},
    {"leaky_relu", true, "(const $T x, const $T a) { return NX_IF$w(x > 0, x, a * x); }", {},
     false},
    {"elu", true, "(const $T x, const $T a) { return NX_IF$w(x > 0, x, a * expm1(x)); }", {},
     false},
    // The built-in fmod of f64 was seen to hang and to give wrong values on PoCL 3.1. Each turn
    // takes off a nearest multiple, which is exact, and about 20 bits of the quotient. Scalars
    // only.
    {"mod", true,
     "(const $T x, const $T y) {\n"
     "  const $T m = fabs(y);\n"
     "  $T r = fabs(x);\n"
     "  if (!(r < ($T)(INFINITY)) || !(m > 0)) return ($T)(NAN);\n"
     "  for (int turn = 0; turn < 128 && r >= m; ++turn) {\n"
     "    const $T t = ldexp(m, max(0, ilogb(r) - ilogb(m) - 20));\n"
     "    r = fma(-rint(r / t), t, r);\n"
     "    r = r < 0 ? r + t : r;\n"
     "  }\n"
     "  return copysign(r, x);\n}",
     {}, false},
    {"saturate", true,
     "(const $T x) { return convert_$R_sat_rtz(NX_IF$w(x != x, ($T)(0), x)); }", {}, false},
    // Double to float so that a later rounding to fewer bits is as if it were the only one: towards
    // zero, and the last bit is set when anything was lost.
    {"odd", true,
     "(const $T x) {\n"
     "  const $R f = convert_$R(x);\n"
     "  const $T back = convert_$T(f);\n"
     "  uint$N u = as_uint$N(f);\n"
     "  u = NX_IF$w(NX_INT$w(fabs(back) > fabs(x)), u - 1u, u);\n"
     "  u = NX_IF$w(NX_INT$w((back != x) & (x == x)), u | 1u, u);\n"
     "  return as_$R(u);\n}",
     {}, false},
    {"round_f16", true,
     "(const $T x) {\n"
     "  const $U u = as_$U(x);\n"
     "  const $U a = u & 0x7fffffffu;\n"
     "  const $U normal = (a + 0xfffu + ((a >> 13) & 1u)) & 0xffffe000u;\n"
     "  const $U tiny = as_$U(as_$T(a) + 0.5f - 0.5f);\n"
     "  $U m = NX_IF$w(a < 0x38800000u, tiny, normal);\n"
     "  m = NX_IF$w(a >= 0x477ff000u, ($U)(0x7f800000u), m);\n"
     "  m = NX_IF$w(a > 0x7f800000u, a | 0x400000u, m);\n"
     "  return as_$T(m | (u & 0x80000000u));\n}",
     {}, false},
    {"round_bf16", true,
     "(const $T x) {\n"
     "  const $U u = as_$U(x);\n"
     "  const $U m = (u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u;\n"
     "  const $U nan = (u & 0xffff0000u) | 0x400000u;\n"
     "  return as_$T(NX_IF$w((u & 0x7fffffffu) > 0x7f800000u, nan, m));\n}",
     {}, false},
    {"add", false, "(const $T x, const $T y) { return as_$T(($U)(as_$U(x) + as_$U(y))); }", {},
     false},
    {"sub", false, "(const $T x, const $T y) { return as_$T(($U)(as_$U(x) - as_$U(y))); }", {},
     false},
    // Narrow factors are multiplied as int, whose overflow the mask by the cast makes harmless.
    {"mul", false, "(const $T x, const $T y) { return as_$T(($U)($m(as_$U(x)) * as_$U(y))); }", {},
     false},
    {"neg", false, "(const $T x) { return as_$T(($U)(($U)(0) - as_$U(x))); }", {}, false},
    {"abs", false, "(const $T x) { return as_$T(abs(x)); }", {}, false},
    {"sign", false,
     "(const $T x) {\n"
     "  return NX_IF$w(x > ($T)(0), ($T)(1), NX_IF$w(x < ($T)(0), ~($T)(0), ($T)(0)));\n}",
     {}, false},
    {"square", false, "(const $T x) { return $(mul)(x, x); }", {"mul"}, false},
    // NVIDIA's assembler for sm_90 makes one instruction of min(min(a, b), max(c, max(0, d))) that
    // gives 0 for everything below it (seen with driver 580). It leaves those of unsigned integers
    // alone, whose order is that of signed ones with the sign turned.
    {"min", false,
     "(const $T x, const $T y) {\n"
     "#ifdef __NV_CL_C_VERSION\n"
     "  return as_$T(($U)(min(($U)(as_$U(x) ^ $S), ($U)(as_$U(y) ^ $S)) ^ $S));\n"
     "#else\n"
     "  return min(x, y);\n"
     "#endif\n}",
     {}, false},
    {"max", false,
     "(const $T x, const $T y) {\n"
     "#ifdef __NV_CL_C_VERSION\n"
     "  return as_$T(($U)(max(($U)(as_$U(x) ^ $S), ($U)(as_$U(y) ^ $S)) ^ $S));\n"
     "#else\n"
     "  return max(x, y);\n"
     "#endif\n}",
     {}, false},
    {"relu", false, "(const $T x) { return $(max)(x, ($T)(0)); }", {"max"}, false},
    {"clamp", false,
     "(const $T x, const $T low, const $T high) { return $(min)($(max)(x, low), high); }",
     {"min", "max"}, false},
    {"fma", false,
     "(const $T x, const $T y, const $T z) { return $(add)($(mul)(x, y), z); }", {"add", "mul"},
     false},
    // No division by 0 or of the smallest number by -1 reaches the hardware: both can trap.
    {"div", false,
     "(const $T x, const $T y) {\n"
     "  const $T minus = $M;\n"
     "  const $T safe = NX_IF$w((y == ($T)(0)) | (y == minus), ($T)(1), y);\n"
     "  const $T q = x / safe;\n"
     "  return NX_IF$w(y == ($T)(0), ($T)(0), NX_IF$w(y == minus, $V, q));\n}",
     {"neg"}, false},
    {"mod", false,
     "(const $T x, const $T y) {\n"
     "  const $T minus = $M;\n"
     "  const $T safe = NX_IF$w((y == ($T)(0)) | (y == minus), ($T)(1), y);\n"
     "  const $T r = x % safe;\n"
     "  return NX_IF$w((y == ($T)(0)) | (y == minus), ($T)(0), r);\n}",
     {}, false},
    {"shl", false,
     "(const $T x, const $T y) {\n"
     "  const $T all = as_$T(($U)(as_$U(x) << ($U)(as_$U(y) & ($U)($b - 1))));\n"
     "  return NX_IF$w(as_$U(y) < ($U)($b), all, ($T)(0));\n}",
     {}, false},
    // What is left of a negative number is its sign.
    {"shr", false,
     "(const $T x, const $T y) {\n"
     "  const $T all = ($T)(x >> as_$T(($U)(as_$U(y) & ($U)($b - 1))));\n"
     "  const $T none = NX_IF$w(x < ($T)(0), ($T)(-1), ($T)(0));\n"
     "  return NX_IF$w(as_$U(y) < ($U)($b), all, none);\n}",
     {}, false},
    // Powers wrap around as products do; below an exponent of 0 only 1 and -1 have whole ones.
    // Scalars only.
    {"ipow", false,
     "(const $T x, const $T y) {\n"
     "  const $T unit = x == $M && (y & 1) != 0 ? x : ($T)(1);\n"
     "  if (y < ($T)(0)) return x == ($T)(1) || x == $M ? unit : ($T)(0);\n"
     "  $T r = ($T)(1);\n"
     "  $T b = x;\n"
     "  $U n = as_$U(y);\n"
     "  for (int i = 0; i < $b && n != 0; ++i) {\n"
     "    if (n & 1) r = $(mul)(r, b);\n"
     "    b = $(mul)(b, b);\n"
     "    n = n >> 1;\n"
     "  }\n"
     "  return r;\n}",
     {"mul"}, false},
    // A wide integer to float so that rounding to 8 bits later is the only rounding: all but the
    // first 17 bits are merged into the last of them.
    {"jam", false,
     "(const $T x) {\n"
     "  const $U size = $A;\n"
     "  const $U lead = clz(size);\n"
     "  const $U limit = ($U)($b - 17);\n"
     "  const $U cut = NX_IF$w(lead < limit, limit - lead, ($U)(0));\n"
     "  const $U lost = size & ((($U)(1) << cut) - ($U)(1));\n"
     "  const $U kept = ((size >> cut) | NX_IF$w(lost != ($U)(0), ($U)(1), ($U)(0))) << cut;\n"
     "  const $R f = convert_$R(kept);\n"
     "  return NX_IF$w(NX_INT$w(x < ($T)(0)), -f, f);\n}",
     {}, false},
};

struct Builtin {
  Op op;
  const char* floating;
  const char* integer;
};

constexpr Builtin kBuiltins[] = {
    {Op::abs, "fabs", nullptr},    {Op::floor, "floor", nullptr},
    {Op::ceil, "ceil", nullptr},     {Op::round, "rint", nullptr},  {Op::trunc, "trunc", nullptr},
    {Op::fma, "fma", nullptr},       {Op::sqrt, "sqrt", nullptr},   {Op::rsqrt, "rsqrt", nullptr},
    {Op::exp, "exp", nullptr},       {Op::exp2, "exp2", nullptr},   {Op::expm1, "expm1", nullptr},
    {Op::log, "log", nullptr},       {Op::log2, "log2", nullptr},   {Op::log10, "log10", nullptr},
    {Op::log1p, "log1p", nullptr},   {Op::pow, "pow", nullptr},     {Op::sin, "sin", nullptr},
    {Op::cos, "cos", nullptr},       {Op::tan, "tan", nullptr},     {Op::asin, "asin", nullptr},
    {Op::acos, "acos", nullptr},     {Op::atan, "atan", nullptr},   {Op::atan2, "atan2", nullptr},
    {Op::sinh, "sinh", nullptr},     {Op::cosh, "cosh", nullptr},   {Op::tanh, "tanh", nullptr},
    {Op::asinh, "asinh", nullptr},   {Op::acosh, "acosh", nullptr}, {Op::atanh, "atanh", nullptr},
    {Op::erf, "erf", nullptr},       {Op::erfc, "erfc", nullptr},
};

const char* sign_bit(size_t bytes) {
  switch (bytes) {
    case 1: return "0x80u";
    case 2: return "0x8000u";
    case 4: return "0x80000000u";
    default: return "0x8000000000000000ul";
  }
}

netcl_dtype unsigned_twin(netcl_dtype dtype) {
  switch (dtype_size(dtype)) {
    case 1: return NETCL_U8;
    case 2: return NETCL_U16;
    case 4: return NETCL_U32;
    default: return NETCL_U64;
  }
}

}  // namespace

netcl_dtype signed_twin(netcl_dtype dtype) {
  switch (dtype_size(dtype)) {
    case 1: return NETCL_I8;
    case 2: return NETCL_I16;
    case 4: return NETCL_I32;
    default: return NETCL_I64;
  }
}

const Helper& find_helper(const char* name, bool floating) {
  for (const Helper& helper : kHelpers) {
    if (helper.floating == floating && std::strcmp(helper.name, name) == 0) return helper;
  }
  fail(NETCL_ERROR_INTERNAL, "the expression printer has no function %s", name);
}

const char* builtin_name(Op op, bool floating) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.op == op) return floating ? builtin.floating : builtin.integer;
  }
  return nullptr;
}

std::string helper_name(const Helper& helper, netcl_dtype from, netcl_dtype to, uint32_t width) {
  std::string name = std::string("nx_") + helper.name + "_" + dtype_facts(from).name;
  if (to != from) name += std::string("_") + dtype_facts(to).name;
  return width == 1 ? name : name + "_x" + number_text(width);
}

std::string helper_text(const Helper& helper, netcl_dtype from, netcl_dtype to, uint32_t width) {
  const std::string type = cl_type(from, width);
  const std::string result = cl_type(to, width);
  const bool is_signed = dtype_facts(from).kind == DtypeClass::signed_integer;
  std::string out = "static " + result + " " + helper_name(helper, from, to, width);
  for (const char* p = helper.text; *p != 0; ++p) {
    if (*p != '$') {
      out += *p;
      continue;
    }
    switch (*++p) {
      case 'T': out += type; break;
      case 'R': out += result; break;
      case 'U': out += cl_type(unsigned_twin(from), width); break;
      case 'I': out += cl_type(signed_twin(from), width); break;
      case 'N': out += width == 1 ? "" : number_text(width); break;
      case 'w': out += width == 1 ? "1" : number_text(width); break;
      case 'b': out += number_text(dtype_size(from) * 8); break;
      case 'f': out += from == NETCL_F32 ? "f" : ""; break;
      // Two ushort factors would overflow the int they are promoted to.
      case 'm': out += width == 1 && dtype_size(from) < 4 ? "(uint)" : ""; break;
      // Unsigned types have no -1: 0 is tested twice then, and the branch for it never taken.
      case 'M': out += "(" + type + ")(" + (is_signed ? "-1" : "0") + ")"; break;
      case 'S':
        out += "(" + cl_type(unsigned_twin(from), width) + ")(" +
               (is_signed ? sign_bit(dtype_size(from)) : "0") + ")";
        break;
      case 'V':
        out += is_signed ? helper_name(find_helper("neg", false), from, from, width) + "(x)" : "q";
        break;
      case 'A': out += is_signed ? "abs(x)" : "x"; break;
      case '(': {
        const char* const end = std::strchr(p, ')');
        const std::string called(p + 1, end);
        const bool floating = is_float(from);
        out += helper_name(find_helper(called.c_str(), floating), from, from, width);
        p = end;
        break;
      }
      default: break;
    }
  }
  return out + "\n";
}

std::string helper_macros(uint32_t width) {
  if (width == 1) {
    return "#ifndef NX_IF1\n"
           "#define NX_IF1(c, a, b) ((c) ? (a) : (b))\n"
           "#define NX_INT1(c) ((c) ? 1 : 0)\n"
           "#define NX_BOOL1(c) ((uchar)((c) ? 1 : 0))\n"
           "#endif\n";
  }
  const std::string w = number_text(width);
  return "#ifndef NX_IF" + w + "\n#define NX_IF" + w + "(c, a, b) select((b), (a), (c))\n" +
         "#define NX_INT" + w + "(c) convert_int" + w + "(c)\n" + "#define NX_BOOL" + w +
         "(c) (convert_uchar" + w + "(c) & (uchar" + w + ")(1))\n#endif\n";
}

}  // namespace netcl::expression
