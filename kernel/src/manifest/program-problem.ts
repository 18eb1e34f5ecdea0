/**
 * What is wrong with the program that a command starts. No shell, and nothing that runs the text of its
 * arguments: there a parameter would be code.
 */
import { DIGITS, hasOnly } from './plain-text.ts'

const SHELLS: readonly string[] = [
  ...['sh', 'ash', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'rbash', 'busybox'],
  ...['cmd.exe', 'powershell', 'powershell.exe', 'pwsh', 'nu', 'elvish', 'xonsh'],
  // They start whatever they are given.
  ...['env', 'xargs', 'sudo', 'doas', 'su', 'nohup', 'setsid', 'timeout', 'nice', 'script', 'eval'],
  ...['watch', 'parallel', 'ssh', 'find', 'awk', 'gawk', 'mawk', 'unshare', 'nsenter', 'chroot'],
  ...['toybox', 'stdbuf', 'ionice', 'taskset', 'chrt', 'flock', 'time', 'strace', 'ltrace', 'gdb'],
  ...['systemd-run', 'start-stop-daemon', 'run-parts', 'tmux', 'npx', 'ld.so'],
]

const INTERPRETERS: readonly string[] = [
  ...['node', 'nodejs', 'deno', 'bun', 'python', 'pypy', 'perl', 'ruby', 'php', 'lua', 'luajit'],
  ...['tclsh', 'osascript', 'groovy', 'jshell', 'R', 'Rscript', 'julia', 'guile', 'racket'],
]

const CODE_OPTIONS: readonly string[] = ['--eval', '--print', 'eval']
const CODE_LETTERS = 'ceEpr'

/** Undefined: it may be started, as far as its name tells. */
export function findProgramProblem(path: string, others: readonly unknown[]): string | undefined {
  if (!path.startsWith('/')) return 'must be an absolute path: a search path is not part of a tool'
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'has an empty segment, `.` or `..` in its path'
  const program = segments.at(-1) ?? ''
  const isLoader = program.startsWith('ld-')
  if (isLoader || SHELLS.includes(program) || SHELLS.includes(stripVersion(program)))
    return `starts \`${program}\`, which runs its arguments as code or as another program`
  if (!INTERPRETERS.includes(stripVersion(program))) return undefined
  const isCode = others.some((one) => typeof one === 'string' && isCodeOption(one))
  if (isCode) return `starts \`${program}\` with an option that runs an argument as code`
  if (hasOwnScript(others)) return undefined
  return `starts \`${program}\` without a script by its absolute path, before any parameter`
}

/** Without one, an interpreter runs the file that a parameter names, or its standard input. */
function hasOwnScript(others: readonly unknown[]): boolean {
  for (const one of others) {
    if (typeof one !== 'string') return false
    if (one.startsWith('/')) return true
  }
  return false
}

/** `-c`, and also `-ic` or `--eval=…`. */
function isCodeOption(argument: string): boolean {
  if (CODE_OPTIONS.some((option) => argument === option || argument.startsWith(`${option}=`)))
    return true
  const isShort = argument.startsWith('-') && !argument.startsWith('--')
  return isShort && [...CODE_LETTERS].some((letter) => argument.includes(letter))
}

/** `python3.12` is a python. */
function stripVersion(program: string): string {
  let end = program.length
  while (end > 0 && hasOnly(program.charAt(end - 1), `${DIGITS}.-`)) end -= 1
  return program.slice(0, end)
}
