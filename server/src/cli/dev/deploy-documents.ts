/**
 * Puts the contracts and monitors of a project in force as they are written now: what is in force already is left alone,
 * what cannot be read changes nothing, and each file is told apart from the others.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Contract, checkJson, type Failure, isObject, type JsonObject } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import {
  type Change,
  listDocumentChanges,
  readContractFile,
  readMonitorFile,
} from 'rubicon-runtime/contract-file'
import { formatUnansweredRule } from 'rubicon-runtime/engine/authority'
import { describeError } from '../failure.ts'
import { computeDevVersion, isDevVersionOf } from './dev-version.ts'
import { toFileProblems } from './file-problems.ts'
import type { ProjectDocument } from './scan-project.ts'
import type { DevNotice } from './worker-messages.ts'

type ReadContract = { readonly file: string; readonly contract: Contract }

export async function deployDocuments(
  runtime: Runtime,
  folder: string,
  documents: readonly ProjectDocument[],
): Promise<readonly DevNotice[]> {
  const notices: DevNotice[] = []
  const contracts: ReadContract[] = []
  for (const { file, kind } of documents) {
    if (kind !== 'contract') continue
    const read = await readContractFile(resolve(folder, file))
    if (read.ok) contracts.push({ file, contract: read.value })
    else notices.push(await refuse(runtime, folder, { file, kind }, read.error))
  }
  for (const one of orderParentsFirst(contracts))
    notices.push(...(await deployOne(runtime, folder, one, contracts)))
  for (const { file, kind } of documents)
    if (kind === 'monitor') notices.push(...(await deployMonitor(runtime, folder, file)))
  return notices
}

/** Whoever is above comes first. */
function orderParentsFirst(contracts: readonly ReadContract[]): readonly ReadContract[] {
  const byAgent = new Map(contracts.map((one) => [one.contract.agent_id, one]))
  const sorted = new Set<ReadContract>()
  const add = (one: ReadContract, below: readonly ReadContract[]): void => {
    const parent = byAgent.get(one.contract.parent_agent ?? '')
    // Parents in a circle are refused when they are deployed.
    if (parent !== undefined && !below.includes(parent)) add(parent, [...below, one])
    sorted.add(one)
  }
  for (const one of contracts) add(one, [one])
  return [...sorted]
}

async function deployOne(
  runtime: Runtime,
  folder: string,
  { file, contract }: ReadContract,
  all: readonly ReadContract[],
): Promise<readonly DevNotice[]> {
  const { agent_id, version: written } = contract
  const first = all.find((one) => one.contract.agent_id === agent_id)
  if (first !== undefined && first.file !== file)
    return [
      {
        kind: 'problem',
        problems: [
          { file, line: null, detail: `\`${agent_id}\` has its contract in ${first.file}` },
        ],
        keeps: true,
      },
    ]
  const authority = await runtime.engine.context.authorities.loadLatest()
  const versions = authority.contracts.get(agent_id) ?? []
  const last = versions.at(-1)
  const before = last === undefined ? undefined : toDocument(last.contract)
  const changes = listDocumentChanges(before, toDocument(contract)).filter(
    ({ path }) => path !== 'version',
  )
  const isSame = last !== undefined && isDevVersionOf(last.contract.version, written)
  if (isSame && changes.length === 0) return []
  const version = computeDevVersion(
    written,
    versions.map((one) => one.contract.version),
  )
  const done = await runtime.engine.deploy({ ...contract, version })
  if (!done.ok) return [await refuse(runtime, folder, { file, kind: 'contract' }, done.error)]
  const told = last === undefined ? [] : changes.map(formatChange)
  return [
    { kind: 'contract', file, name: agent_id, version, changes: told },
    ...done.value.unanswered
      .filter(({ rule }) => rule !== null)
      .map((one) => ({
        kind: 'warning' as const,
        text: `${agent_id}: ${formatUnansweredRule(one)}`,
      })),
  ]
}

async function deployMonitor(
  runtime: Runtime,
  folder: string,
  file: string,
): Promise<readonly DevNotice[]> {
  const read = await readMonitorFile(resolve(folder, file))
  if (!read.ok) return [await refuse(runtime, folder, { file, kind: 'monitor' }, read.error)]
  const { name } = read.value
  try {
    const before = await findMonitor(runtime, name)
    const done = await runtime.monitor(resolve(folder, file))
    if (done.unchanged) return []
    const changes = before === undefined ? [] : listDocumentChanges(before, toDocument(read.value))
    return [{ kind: 'monitor', file, name, changes: changes.map(formatChange) }]
  } catch (error) {
    return [await refuse(runtime, folder, { file, kind: 'monitor' }, describeError(error).failure)]
  }
}

async function findMonitor({ engine }: Runtime, name: string): Promise<JsonObject | undefined> {
  const { monitors } = await engine.context.authorities.loadLatest()
  const found = monitors.get(name)
  return found === undefined ? undefined : toDocument(found)
}

function toDocument(value: object): JsonObject {
  const checked = checkJson(value)
  return checked.ok && isObject(checked.value) ? checked.value : {}
}

/** `permissions.limits[most].max 500.00 → 300.00` */
function formatChange({ path, before, after }: Change): string {
  return `${path} ${formatValue(before)} → ${formatValue(after)}`
}

function formatValue(text: string | null): string {
  if (text === null) return 'none'
  return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text
}

async function refuse(
  runtime: Runtime,
  folder: string,
  document: ProjectDocument,
  failure: Failure,
): Promise<DevNotice> {
  const problems = toFileProblems(folder, document.file, failure)
  return { kind: 'problem', problems, keeps: await isDeployed(runtime, folder, document) }
}

/** By the name in the text: what cannot be read as a document has no other. */
async function isDeployed(
  { engine }: Runtime,
  folder: string,
  { file, kind }: ProjectDocument,
): Promise<boolean> {
  const { contracts, monitors } = await engine.context.authorities.loadLatest()
  const member = kind === 'contract' ? 'agent_id' : 'name'
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => '')
  const name = new RegExp(`^${member}\\s*:\\s*["']?([^\\s"'#]+)`, 'm').exec(text)?.[1] ?? ''
  return kind === 'contract' ? contracts.has(name) : monitors.has(name)
}
