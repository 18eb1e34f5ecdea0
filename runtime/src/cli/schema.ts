/** `rubicon schema [VERB…]`: what `--json` prints, as JSON Schema. */
import { nearest } from '../reasons/nearest.ts'
import type { Call } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { table } from './output.ts'
import { PRINTED, schemaOf } from './schemas/by-verb.ts'

export async function schema({ args, out }: Call): Promise<ExitCode> {
  if (args.length === 0) {
    const verbs = Object.entries(PRINTED).map(([verb, { prints }]) => ({ verb, prints }))
    for (const line of table(verbs.map(({ verb, prints }) => [verb, prints]))) out.line(line)
    out.data({ verbs })
    return EXIT.done
  }
  const verb = args.join(' ')
  // `rubicon agents` means `rubicon agents list`, here too.
  const found = schemaOf(verb) ?? schemaOf(`${verb} list`)
  if (found === undefined) throw unknownVerb(verb)
  for (const line of JSON.stringify(found, null, 2).split('\n')) out.line(line)
  out.data(found)
  return EXIT.done
}

function unknownVerb(verb: string): CliFailure {
  const close = nearest(verb, Object.keys(PRINTED))
  return new CliFailure({
    code: 'VERB_UNKNOWN',
    summary: `no verb \`${verb}\` has a schema`,
    fix: close === undefined ? '`rubicon schema` lists all verbs' : `did you mean \`${close}\`?`,
  })
}
