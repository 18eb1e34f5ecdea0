/** `rubicon policy test FILE… --rules MODULE`: decisions that were kept, held against rules. */
import { readFileSync } from 'node:fs'
import { parseJson } from 'rubicon-kernel'
import { buildRules } from 'rubicon-runtime/compose'
import { type CaseOutcome, checkCase, type PolicyCase, parseCase } from 'rubicon-runtime/evidence'
import { type CommandCall, createMissingFailure } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { SYMBOLS } from './output.ts'
import { loadRules } from './rules-module.ts'

export async function testPolicies({ args, options, out }: CommandCall): Promise<ExitCode> {
  if (args.length === 0) throw createMissingFailure('FILE')
  const { capabilities, policies, topologies, topics } = await loadRules(
    options.getRequired('rules', '--rules MODULE'),
  )
  const rules = buildRules(capabilities, policies, topologies, topics)
  // All files are read before anything is said.
  const read = args.map((file) => ({ file, kept: readCase(file) }))
  const cases = read.map(({ file, kept }) => ({ file, ...checkCase(kept, rules) }))
  for (const { file, name, ok, expect, found } of cases) {
    const symbol = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.rejected)
    const said = found === null ? 'cannot be judged' : formatOutcome(found)
    const wanted = ok ? '' : `, expected ${formatOutcome(expect)}`
    out.line(`${symbol} ${escapeText(file)}: ${escapeText(name)}: ${escapeText(said + wanted)}`)
  }
  const ok = cases.every((one) => one.ok)
  out.data({ ok, cases })
  return ok ? EXIT.done : EXIT.findings
}

function readCase(file: string): PolicyCase {
  const parsed = parseJson(readFileSync(file))
  if (parsed.ok) return unwrap(parseCase(parsed.value, file))
  const { code, detail } = parsed.error
  throw new CliFailure({ code, summary: `\`${file}\` cannot be read: ${detail}` })
}

function formatOutcome({ outcome, code }: CaseOutcome): string {
  return `${outcome} ${code ?? ''}`.trimEnd()
}
