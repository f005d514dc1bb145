/* Runs a program in a state of the process that a host may be in: host_state STATE PROGRAM [ARG...]
 *
 *   closed   stdin, stdout and stderr are closed, so that files get their numbers
 *   limited  files may have 4 KB (RLIMIT_FSIZE); calls then fail, but no signal may end the program
 *
 * The exit status is the program's; with `limited` it is 0 unless a signal ended it or one of its
 * tests, which cmocka then says, as tests that write more than that rightly fail. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Passes on what a program prints. Whether it says that a signal came. */
static int pass_on(FILE *from) {
  char line[4096];
  int crashed = 0;
  while (fgets(line, sizeof line, from) != NULL) {
    if (strstr(line, "Test failed with exception") != NULL) crashed = 1;
    fputs(line, stdout);
  }
  fclose(from);
  return crashed;
}

static int run_limited(char **command) {
  const struct rlimit limit = {4096, 4096};
  int status, ends[2];
  if (pipe(ends) != 0) return 126;
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    /* A program that was started with the signal ignored would prove nothing. */
    signal(SIGXFSZ, SIG_DFL);
    if (setrlimit(RLIMIT_FSIZE, &limit) == 0) execv(command[0], command);
    _exit(126);
  }
  close(ends[1]);
  const int crashed = pass_on(fdopen(ends[0], "r"));
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return 126;
  if (WIFSIGNALED(status)) {
    printf("signal %d (%s) ended it\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 1;
  }
  const int code = WEXITSTATUS(status);
  if (crashed) return 1;
  return code == 126 || code == 127 || code == 77 ? code : 0;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "limited") == 0) return run_limited(argv + 2);
  if (argc > 2 && strcmp(argv[1], "closed") == 0) {
    close(0);
    close(1);
    close(2);
    execv(argv[2], argv + 2);
    return 126;
  }
  fprintf(stderr, "usage: host_state closed|limited PROGRAM [ARG...]\n");
  return 2;
}
