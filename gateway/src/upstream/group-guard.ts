/**
 * Ends what the gateway has started when the gateway ends, however that happens. A process that is killed can end nobody
 * any more; so another one, of a few lines, is told of every group, and ends those that are left once it hears no more.
 *
 * A program that leaves its group (`setsid`) leaves what this can reach, as everywhere.
 */
import { type ChildProcess, spawn } from 'node:child_process'

const SHELL = '/bin/sh'

/** Reads `add 12` and `drop 12`, until there is nobody who could write more. */
const PROGRAM = `
groups=''
while read -r word group; do
  left=''
  for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
  groups=$left
  [ "$word" = add ] && groups="$groups $group"
done
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
`

let guard: ChildProcess | null = null

export function watchGroup(group: number): void {
  tell(`add ${group}\n`)
}

/** It has ended: its number may be that of somebody else soon. */
export function releaseGroup(group: number): void {
  tell(`drop ${group}\n`)
}

function tell(line: string): void {
  guard ??= startGuard()
  guard.stdin?.write(line)
}

/** It keeps nobody from ending. Where it cannot be started, programs still hear that their input has ended. */
function startGuard(): ChildProcess {
  const started = spawn(SHELL, ['-c', PROGRAM], {
    // A signal to the group of the gateway is none to it.
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const forget = (): void => {
    if (guard === started) guard = null
  }
  started.on('error', forget)
  started.once('exit', forget)
  started.stdin?.on('error', () => {})
  started.unref()
  if (started.stdin !== null && 'unref' in started.stdin)
    (started.stdin as { unref(): void }).unref()
  return started
}
