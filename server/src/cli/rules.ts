/** `rubicon rules`: the law as it is recorded, and against it what a module holds. */
import type { Client, LedgerEntry } from 'rubicon-agents/client'
import {
  type Address,
  AUTHORITY,
  foldCapability,
  foldRules,
  type PolicyPayload,
  type RecordedRules,
} from 'rubicon-kernel'
import { deriveRulesState } from 'rubicon-runtime/compose'
import { formatRulesLines, type RulesState } from 'rubicon-runtime/engine/authority'
import { executeAsReader } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { ALL_ROWS, collectRows } from './list-pages.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { loadRules } from './rules-module.ts'
import { unwrapAnswer } from './server-answer.ts'
import { createAgreeCommand } from './up-rules.ts'

/** One time that rules or a capability were recorded. */
export type RecordedChange = {
  readonly seq: number
  readonly at: string
  readonly rules_hash: string | null
  readonly capabilities: readonly string[]
  readonly previous_until: string | null
}

export async function showRules(call: CommandCall): Promise<ExitCode> {
  const { out, options } = call
  const module = options.text('rules')
  const { rules, history } = await executeAsReader(call, readRecordedRules)
  const held = module === undefined ? null : await compareModuleRules(module, rules)
  if (rules === null)
    out.note(
      `${SYMBOLS.info} no rules are recorded yet: the first runtime that starts records its own`,
    )
  else showInForce(out, rules)
  for (const line of formatTable(history.map(formatHistoryRow))) out.line(line)
  if (held !== null) showHeld(out, held, module ?? '')
  out.data({ in_force: rules === null ? null : toRulesData(rules), history, held })
  return held === null || held.acceptance === null ? EXIT.done : EXIT.findings
}

type Recorded = {
  readonly rules: RecordedRules | null
  readonly history: readonly RecordedChange[]
}

/** Rules follow from what was recorded of them, in its order: they are folded here, as a runtime does. */
async function readRecordedRules(client: Client): Promise<Recorded> {
  const params = { id: AUTHORITY }
  const { rows } = await collectRows(ALL_ROWS, async (range) => {
    const query = { from: '0', ...range }
    const page = unwrapAnswer(await client.listTrajectoryEntries({ params, query }))
    return { rows: page.entries.filter(({ kind }) => kind === 'policy'), next: page.next }
  })
  const entries = rows.map(parsePolicyEntry)
  return { rules: foldRecordedRules(entries), history: entries.flatMap(listRecordedChanges) }
}

function foldRecordedRules(entries: readonly PolicyEntry[]): RecordedRules | null {
  let rules: RecordedRules | null = null
  for (const { id, payload } of entries) {
    if (payload === null) continue
    const { body } = payload
    if ('rules_hash' in body) rules = foldRules(rules, body, id)
    else if (body.action === 'capability') rules = foldCapability(rules, body, id)
  }
  return rules
}

function listRecordedChanges({ seq, at, payload }: PolicyEntry): readonly RecordedChange[] {
  if (payload === null) return []
  const { body } = payload
  if ('rules_hash' in body) {
    const { rules_hash, capabilities, previous_until = null } = body
    const kinds = capabilities.map(({ capability }) => capability.kind)
    return [{ seq, at, rules_hash, capabilities: kinds, previous_until }]
  }
  if (body.action !== 'capability') return []
  const { capability, previous_until = null } = body
  return [{ seq, at, rules_hash: null, capabilities: [capability.kind], previous_until }]
}

/** What was recorded of rules; no payload: it was erased. */
type PolicyEntry = {
  readonly seq: number
  readonly at: string
  readonly id: Address
  readonly payload: PolicyPayload | null
}

/** Entries are what a runtime wrote. */
function parsePolicyEntry({ seq, at, id, payload }: LedgerEntry): PolicyEntry {
  return { seq, at, id: id as Address, payload: payload as PolicyPayload | null }
}

async function compareModuleRules(
  module: string,
  rules: RecordedRules | null,
): Promise<RulesState> {
  const { capabilities, policies, topologies, topics } = await loadRules(module)
  return deriveRulesState(capabilities, policies, rules, topologies, topics)
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
    out.line(`${out.symbol(SYMBOLS.allowed)} the module has the rules in force`)
}
