/** `rubicon rules`: the law as it is recorded, and against it what a module holds. */
import {
  AUTHORITY,
  foldAuthority,
  NO_AUTHORITY,
  type PolicyPayload,
  type RecordedRules,
} from 'rubicon-kernel'
import { deriveRulesState } from 'rubicon-runtime/compose'
import { formatRulesLines, type RulesState } from 'rubicon-runtime/engine/authority'
import { readTrajectoryPages } from 'rubicon-runtime/evidence'
import type { Store, StoredEntry } from 'rubicon-runtime/ports'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { loadRules } from './rules-module.ts'
import { createAgreeCommand } from './up-rules.ts'

/** One time that rules or a capability were recorded. */
export type RecordedChange = {
  readonly seq: number
  readonly at: string
  readonly rules_hash: string | null
  readonly capabilities: readonly string[]
  readonly previous_until: string | null
}

export async function showRules({ place, out, options }: CommandCall): Promise<ExitCode> {
  const module = options.text('rules')
  const { rules, history } = await readFromStore(place, readRecordedRules)
  const held = module === undefined ? null : await compareModuleRules(module, rules)
  if (rules === null)
    out.note(`${SYMBOLS.info} no rules are recorded: the first that start here will be`)
  else showInForce(out, rules)
  for (const line of formatTable(history.map(formatHistoryRow))) out.line(line)
  if (held !== null) showHeld(out, held, module ?? '')
  out.data({ in_force: rules === null ? null : toRulesData(rules), history, held })
  return held === null || held.acceptance === null ? EXIT.done : EXIT.findings
}

async function readRecordedRules(
  store: Store,
): Promise<{ rules: RecordedRules | null; history: readonly RecordedChange[] }> {
  const history: RecordedChange[] = []
  let authority = NO_AUTHORITY
  for await (const page of readTrajectoryPages(store, AUTHORITY)) {
    authority = foldAuthority(authority, page)
    history.push(...page.flatMap(listRecordedChanges))
  }
  return { rules: authority.rules, history }
}

function listRecordedChanges({ envelope, payload }: StoredEntry): readonly RecordedChange[] {
  if (envelope.kind !== 'policy' || payload === null) return []
  const { body } = parsePayload(payload)
  const { seq, at } = envelope
  if ('rules_hash' in body) {
    const { rules_hash, capabilities, previous_until = null } = body
    const kinds = capabilities.map(({ capability }) => capability.kind)
    return [{ seq, at, rules_hash, capabilities: kinds, previous_until }]
  }
  if (body.action !== 'capability') return []
  const { capability, previous_until = null } = body
  return [{ seq, at, rules_hash: null, capabilities: [capability.kind], previous_until }]
}

/** Entries in our own store are what we wrote there. */
function parsePayload(payload: string): PolicyPayload {
  return JSON.parse(payload) as PolicyPayload
}

async function compareModuleRules(
  module: string,
  rules: RecordedRules | null,
): Promise<RulesState> {
  const { capabilities, policies } = await loadRules(module)
  return deriveRulesState(capabilities, policies, rules)
}

function showInForce(out: Output, { law, rules, hashes }: RecordedRules): void {
  out.line(`${out.symbol(SYMBOLS.allowed)} rules ${law.hash} are in force`)
  if (law.former !== null) out.line(`  until ${law.former.until} also ${law.former.hash}`)
  out.line(`  compiler ${rules.compiler_version}`)
  for (const { name, version, source } of rules.policies)
    out.line(`  policy   ${name} ${version} ${source}`)
  for (const [kind, { hash }] of hashes) out.line(`  kind     ${kind} ${hash}`)
}

function toRulesData({ law, rules, hashes }: RecordedRules): object {
  const { compiler_version, evaluators, policies } = rules
  const capabilities = [...hashes].map(([kind, recorded]) => ({ kind, ...recorded }))
  return {
    rules_hash: law.hash,
    former: law.former,
    compiler_version,
    evaluators,
    policies,
    capabilities,
  }
}

function formatHistoryRow({
  seq,
  at,
  rules_hash,
  capabilities,
  previous_until,
}: RecordedChange): string[] {
  const until = previous_until === null ? '' : `the rules before until ${previous_until}`
  return [`  ${seq}`, at, rules_hash ?? capabilities.join(', '), until]
}

function showHeld(out: Output, held: RulesState, module: string): void {
  const agreeing = createAgreeCommand(['up', '--rules', module])
  for (const line of formatRulesLines(held, agreeing)) out.line(line)
  if (held.acceptance === null)
    out.line(`${out.symbol(SYMBOLS.allowed)} the module holds the rules in force`)
}
