/** Asks before something that cannot be taken back: the name has to be typed, not "y". */
import { createInterface } from 'node:readline'
import type { CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT } from './exit-code.ts'
import { CliFailure } from './failure.ts'

/** Returns only if it was confirmed. `flag` is what a script says instead. */
export async function confirm(
  { options, streams, connected }: CommandCall,
  question: { readonly what: string; readonly name: string; readonly flag?: string },
): Promise<void> {
  const { what, name, flag = '--yes' } = question
  if (options.hasFlag(flag.slice(2))) return
  if (connected !== undefined) return connected.confirm(question)
  if (streams.stdin.isTTY !== true)
    throw new CliFailure({
      code: 'NOT_CONFIRMED',
      summary: 'this needs a confirmation, and there is no terminal to ask at',
      why: what,
      fix: `add ${flag}`,
    })
  streams.stderr.write(`⚠ ${escapeText(what)}\n`)
  if (await isTyped(streams, name)) return
  throw new CliFailure({ code: 'DECLINED', summary: 'nothing was changed' }, EXIT.declined)
}

/** Whether somebody at the terminal types the word; without a terminal nobody does. */
export async function isTyped(streams: CommandCall['streams'], word: string): Promise<boolean> {
  if (streams.stdin.isTTY !== true) return false
  const lines = createInterface({ input: streams.stdin, terminal: false })
  streams.stderr.write(`  type \`${escapeText(word)}\` to go on: `)
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  return answer.trim() === word
}
