import { LIMITS } from 'rubicon-kernel'
import { type SecretSource, SecretUnavailable } from '../../ports/secrets.ts'
import { runProcess } from '../process/run-process.ts'
import { parseSecret } from './secret-value.ts'

/** What a password manager needs to find its own files and agent, and nothing of what tools are given. */
const PASSED = ['HOME', 'PATH', 'USER', 'XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK', 'LANG'] as const

/** A password manager's command, started without a shell. What it says besides the secret is dropped. */
export function createCommandSecret(argv: readonly string[]): SecretSource {
  return {
    async read() {
      const [path = '', ...args] = argv
      const ended = await runProcess({
        path,
        args,
        env: Object.fromEntries(PASSED.map((name) => [name, process.env[name]])),
        stdin: '',
        cwd: '/',
        deadlineMs: LIMITS.secretMs,
        outputBytes: LIMITS.secretLength * 4,
        errorBytes: LIMITS.commandErrorBytes,
        signal: null,
      })
      if (ended.kind !== 'exited' || ended.code !== 0)
        throw new SecretUnavailable(`its command ${describeEnd(ended)}`)
      return parseSecret(ended.output)
    },
  }
}

/** Not what it printed: that may be the secret. */
function describeEnd(ended: Awaited<ReturnType<typeof runProcess>>): string {
  if (ended.kind === 'exited') return `ended with ${ended.code}`
  return ended.kind === 'not-started' ? 'could not be started' : 'did not end as it should'
}
