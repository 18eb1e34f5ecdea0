/**
 * `rubicon mcp learn`: what the calls of a client would have needed, as a difference to its contract and to the classes of
 * its tools. A person takes some of it, by name; nothing is taken by itself.
 */
import { dirname, join } from 'node:path'
import type { Client } from 'rubicon-agents/client'
import { err, isObject, type JsonObject, type JsonValue, ok } from 'rubicon-kernel'
import {
  applyNeeds,
  changeLock,
  findNeeds,
  formatLock,
  type KeptRefusal,
  listObservedCalls,
  loadLock,
  loadMcpFile,
  type Need,
  type ObservedCall,
  type ToolLock,
} from 'rubicon-mcp'
import {
  type Change,
  listDocumentChanges,
  parseYaml,
  readContractFile,
  replaceInYaml,
} from 'rubicon-runtime/contract-file'
import { ESCALATION_STATES } from 'rubicon-runtime/engine/rows'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { collectRows } from './list-pages.ts'
import { DEFAULT_MCP_FILE, findLockFile } from './mcp-place.ts'
import { readIfThere, replaceWhole } from './mcp-setup/whole-file.ts'
import { type Output, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

const FLOWS = 500
const ALL = 'all'

export async function learnFromCalls(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const isApplied = options.hasFlag('apply')
  if (isApplied && args.length === 0)
    throw createUsageFailure(
      'nobody has said what to take',
      `name what \`rubicon mcp learn\` lists, or \`${ALL}\``,
    )
  const file = options.text('mcp') ?? DEFAULT_MCP_FILE
  const { agent } = unwrap(await loadMcpFile(file))
  const lock = unwrap(await loadLock(findLockFile(options)))
  const place = options.text('contract') ?? join(dirname(file), `${agent}.yaml`)
  const { text, document } = await readContract(place, agent)
  const limit = options.count('limit', FLOWS, 1)
  const calls = await executeAsReader(call, (client) => observe(client, agent, limit))
  const { needs, kept } = findNeeds(calls, lock)
  const taken = selectNeeds(needs, args)
  const next = applyNeeds(document, lock, taken)
  const changes = listDocumentChanges(document, next.contract)
  show(out, { needs, kept, changes, calls: calls.length, place })
  if (isApplied && taken.length > 0) {
    const source = replaceInYaml(text, next.edits)
    await replaceClasses(options, lock, next.lock)
    await deploy(call, agent, source)
    replaceWhole(place, source, 0o644)
    out.line(`${out.symbol(SYMBOLS.allowed)} ${place} is deployed`)
  }
  out.data({ applied: isApplied, calls: calls.length, needs, kept, changes })
  return EXIT.done
}

async function readContract(
  file: string,
  agent: string,
): Promise<{ readonly text: string; readonly document: JsonObject }> {
  const contract = unwrap(await readContractFile(file))
  const text = readIfThere(file) ?? ''
  const parsed = parseYaml(text)
  const value: JsonValue = parsed.ok ? parsed.value.value : null
  if (contract.agent_id === agent && isObject(value)) return { text, document: value }
  throw new CliFailure({
    code: 'MCP_CONTRACT',
    summary: `${file} is not the contract of \`${agent}\``,
    fix: 'name it with --contract',
  })
}

/** The calls of the newest flows that were refused, or waited. */
async function observe(
  client: Client,
  agent: string,
  limit: number,
): Promise<readonly ObservedCall[]> {
  const calls: ObservedCall[] = []
  for (const dfid of await listFlowsToRead(client, agent, limit)) {
    const whole = unwrapAnswer(await client.getFlow({ params: { dfid } }))
    const entries = whole.entries.map(({ kind, payload }) => ({
      kind,
      payload: payload as JsonValue,
    }))
    calls.push(...listObservedCalls(dfid, entries, whole.executions.length > 0))
  }
  return calls
}

async function listFlowsToRead(
  client: Client,
  agent: string,
  limit: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await collectRows(limit, async (query) => {
    const page = unwrapAnswer(await client.listFlows({ query: { agent, ...query } }))
    return { rows: page.flows, next: page.next }
  })
  const found = new Set(rows.filter(({ rejections }) => rejections > 0).map(({ dfid }) => dfid))
  for (const state of ESCALATION_STATES) {
    const asked = await collectRows(limit, async (query) => {
      const page = unwrapAnswer(await client.listEscalations({ query: { agent, state, ...query } }))
      return { rows: page.escalations, next: page.next }
    })
    for (const { dfid } of asked.rows) found.add(dfid)
  }
  return found
}

/** Without names, all: what would become of the contract is shown then. */
function selectNeeds(needs: readonly Need[], names: readonly string[]): readonly Need[] {
  if (names.length === 0 || names.includes(ALL)) return needs
  const unknown = names.find((name) => !needs.some(({ id }) => id === name))
  if (unknown !== undefined)
    throw createUsageFailure(`\`${unknown}\` is none of the needs`, 'see `rubicon mcp learn`')
  return needs.filter(({ id }) => names.includes(id))
}

type Shown = {
  readonly needs: readonly Need[]
  readonly kept: readonly KeptRefusal[]
  readonly changes: readonly Change[]
  readonly calls: number
  readonly place: string
}

function show(out: Output, { needs, kept, changes, calls, place }: Shown): void {
  out.line(`${calls} calls were refused or waited`)
  for (const need of needs)
    out.line(`  ${need.id}  ${describeNeed(need)} (${need.calls} calls, first ${need.dfid})`)
  for (const { kind, code, calls: count, why } of kept)
    out.line(`  ${out.symbol(SYMBOLS.rejected)} ${kind} ${code}, ${count} calls: ${why}`)
  if (changes.length > 0) out.line(`${place}:`)
  for (const { path, before, after } of changes)
    out.line(`  ${path}: ${before ?? 'none'} → ${after ?? 'none'}`)
  if (needs.length > 0)
    out.note(
      `${SYMBOLS.waiting} a need is what was tried, also by a model that was deceived: look at the calls before you take it`,
    )
}

function describeNeed(need: Need): string {
  switch (need.need) {
    case 'allow':
      return `may name ${need.values.join(', ')}`
    case 'grant':
      return 'may be called, and asks'
    case 'pass':
      return 'reads, was always approved, and asks no more'
  }
}

async function replaceClasses(
  options: CommandCall['options'],
  before: ToolLock,
  after: ToolLock,
): Promise<void> {
  if (formatLock(before) === formatLock(after)) return
  const file = findLockFile(options)
  const changed = await changeLock(file, async (lock) =>
    formatLock(lock) === formatLock(before)
      ? ok({ lock: after, value: undefined })
      : err({
          code: 'MCP_LOCK_BUSY',
          summary: `${file} was changed meanwhile`,
          fix: 'try again',
        }),
  )
  unwrap(changed)
}

async function deploy(call: CommandCall, agent: string, source: string): Promise<void> {
  await executeAsOperator(call, async (client) => {
    const body = { source, revoke_previous: false }
    unwrapAnswer(await client.deployContract({ params: { agent_id: agent }, body }))
  })
}
