/* Which sanitizer this is built with: gcc defines macros of its own, clang answers questions. */
#ifndef NETCL_TESTS_SANITIZERS_H
#define NETCL_TESTS_SANITIZERS_H

#ifdef __has_feature
#define NETCL_HAS_FEATURE(name) __has_feature(name)
#else
#define NETCL_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || NETCL_HAS_FEATURE(address_sanitizer)
#define HAS_ASAN 1
#else
#define HAS_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || NETCL_HAS_FEATURE(thread_sanitizer)
#define HAS_TSAN 1
#else
#define HAS_TSAN 0
#endif

#endif
