/** `rubicon policy test FILE… --rules MODULE`: decisions that were kept, held against rules. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  describeObject,
  isObject,
  type JsonValue,
  parseJson,
  type Rules,
  UNKNOWN_NAMING,
} from 'rubicon-kernel'
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
  const read = args.flatMap(listCaseFiles).map((file) => ({ file, kept: readCase(file) }))
  const cases = read.map(({ file, kept }) => ({ file, kept, ...checkCase(kept, rules) }))
  const isUpdate = options.hasFlag('update')
  const updated: string[] = []
  for (const { file, kept, name, ok, expect, found } of cases) {
    const isUpdated = isUpdate && !ok && found !== null
    if (isUpdated) {
      writeFileSync(file, `${JSON.stringify({ ...kept, expect: found }, null, 2)}\n`)
      updated.push(file)
    }
    const symbol = out.symbol(ok || isUpdated ? SYMBOLS.allowed : SYMBOLS.rejected)
    const said = found === null ? 'cannot be judged' : formatOutcome(found)
    const before = `${isUpdated ? 'before' : 'expected'} ${formatOutcome(expect)}`
    const line = `${file}: ${name}: ${ok ? said : `${said}, ${before}`}`
    out.line(`${symbol} ${escapeText(line)}`)
    if (!ok) out.line(`  proposed  ${escapeText(describeProposal(kept.input.proposal, rules))}`)
  }
  const ok = cases.every((one) => one.ok || updated.includes(one.file))
  if (!ok && !isUpdate)
    out.note(`${SYMBOLS.info} if the change is intended, --update writes it into the cases`)
  out.data({ ok, cases: cases.map(({ kept: _, ...one }) => one), updated })
  return ok ? EXIT.done : EXIT.findings
}

/** Of a folder its cases, in the order of their names; whatever else is named is a case. */
function listCaseFiles(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => name.endsWith('.json'))
  if (names.length > 0) return names.toSorted().map((name) => join(path, name))
  throw createMissingFailure(`${join(path, 'CASE.json')}`)
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

/** Whoever reads the log of a pipeline has no ledger to look into. */
function describeProposal(proposal: JsonValue, rules: Rules): string {
  const { policy_kind, params } = isObject(proposal) ? proposal : {}
  const kind = typeof policy_kind === 'string' ? policy_kind : null
  const naming = kind === null ? undefined : rules.capability(kind)?.description
  const about = describeObject(naming ?? UNKNOWN_NAMING, isObject(params) ? params : {})
  return `${kind ?? 'no kind'} ${about}`.trimEnd()
}
