/** `rubicon schema [VERB…]`: what `--json` prints, as JSON Schema. */
import { findNearest } from 'rubicon-kernel'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { formatTable } from './output.ts'
import { findVerbSchema, PRINTED } from './schemas/by-verb.ts'

export async function showSchema({ args, out }: CommandCall): Promise<ExitCode> {
  if (args.length === 0) {
    const verbs = Object.entries(PRINTED).map(([verb, { prints }]) => ({ verb, prints }))
    for (const line of formatTable(verbs.map(({ verb, prints }) => [verb, prints]))) out.line(line)
    out.data({ verbs })
    return EXIT.done
  }
  const verb = args.join(' ')
  // `rubicon agents` means `rubicon agents list`, here too.
  const found = findVerbSchema(verb) ?? findVerbSchema(`${verb} list`)
  if (found === undefined) throw createUnknownVerbFailure(verb)
  for (const line of JSON.stringify(found, null, 2).split('\n')) out.line(line)
  out.data(found)
  return EXIT.done
}

function createUnknownVerbFailure(verb: string): CliFailure {
  const close = findNearest(verb, Object.keys(PRINTED))
  return new CliFailure({
    code: 'VERB_UNKNOWN',
    summary: `no verb \`${verb}\` has a schema`,
    fix: close === undefined ? '`rubicon schema` lists all verbs' : `did you mean \`${close}\`?`,
  })
}
