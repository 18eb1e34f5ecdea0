/** Starts the process of a desk, with nothing of its parent but what Node reads. */
import { type ChildProcess, fork } from 'node:child_process'
import { ARTIFACT_LIMITS } from '../limits.ts'

export function forkDesk(): ChildProcess {
  const file = import.meta.url.endsWith('.ts') ? './desk-child.ts' : './desk-child.js'
  return fork(new URL(file, import.meta.url), [], {
    execArgv: [`--max-old-space-size=${ARTIFACT_LIMITS.deskMegabytes}`, ...PERMISSIONS],
    // Secrets of whoever asks are nothing that a parser needs.
    env: listEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

/** It reads its own program, and starts and writes nothing. One parser is native, and a thread looks whether anybody waits. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker']

/** What Node itself reads, and what plants mistakes in tests. */
const KEPT =
  /^(?:NODE_OPTIONS|NODE_COMPILE_CACHE|RUBICON_PATCH|LD_LIBRARY_PATH|SystemRoot|TMPDIR)$/u

function listEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))
}
