/** Other rules than those in force, at the start of a server: agreed to by their hash, or at the terminal. */
import type { Runtime, RuntimeOptions } from 'rubicon-runtime/compose'
import type { Agreeing } from 'rubicon-runtime/engine/authority'
import { redactAddress } from 'rubicon-runtime/ports'
import type { CommandCall } from './call.ts'
import { isTyped } from './confirm.ts'
import { CliFailure, unwrap } from './failure.ts'
import { SYMBOLS } from './output.ts'

export function parseAcceptedRules({ options }: CommandCall): Pick<RuntimeOptions, 'acceptRules'> {
  const hash = options.text('acceptRules')
  if (hash === undefined) return {}
  if (!/^sha256:[0-9a-f]{64}$/.test(hash))
    throw new CliFailure({
      code: 'VALUE_INVALID',
      summary: `\`${hash}\` is not the hash of a change of rules`,
      why: 'a change of rules is accepted by the hash that was printed for it',
      fix: 'see `rubicon rules --rules MODULE`',
    })
  return { acceptRules: { hash, previousForMs: options.count('previousFor', 0) * 1000 } }
}

/** The command as it was typed, with the yes and without passwords. */
export function createAgreeCommand(argv: readonly string[]): Agreeing {
  const words = argv.filter((word, at) => {
    return !word.startsWith(ACCEPT) && argv[at - 1] !== ACCEPT
  })
  const shown = words.map((word) =>
    quoteWord(word.includes('postgres') ? redactAddress(word) : word),
  )
  return (hash) => ['rubicon', ...shown, ACCEPT, hash].join(' ')
}

const ACCEPT = '--accept-rules'

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** What differs has been printed. Without a yes the server starts all the same, and decides nothing new. */
export async function askForRules(
  { streams, out, options }: CommandCall,
  runtime: Runtime,
): Promise<void> {
  const { acceptance: hash } = await runtime.rules()
  if (hash === null || !(await isTyped(streams, 'yes'))) return
  const previousForMs = options.count('previousFor', 0) * 1000
  const { held } = unwrap(await runtime.engine.oversight.acceptRules({ hash, previousForMs }))
  out.note(`${SYMBOLS.info} rules ${held} are in force`)
}
