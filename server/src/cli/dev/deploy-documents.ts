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
import type { DocumentKind, ProjectDocument } from './scan-project.ts'
import type { AnswerOf, DevNotice, DocumentNames } from './worker-messages.ts'

type ReadContract = { readonly file: string; readonly contract: Contract }

export async function deployDocuments(
  runtime: Runtime,
  folder: string,
  { documents, names }: { readonly documents: readonly ProjectDocument[]; names: DocumentNames },
): Promise<AnswerOf['deploy']> {
  const notices: DevNotice[] = []
  const contracts: ReadContract[] = []
  const place: Place = { runtime, folder, names: new Map(Object.entries(names)) }
  for (const { file, kind } of documents) {
    if (kind !== 'contract') continue
    const read = await readContractFile(resolve(folder, file))
    if (!read.ok) {
      notices.push(await refuse(place, { file, kind }, read.error))
      continue
    }
    contracts.push({ file, contract: read.value })
    notices.push(...(await nameFile(place, file, kind, read.value.agent_id)))
  }
  for (const one of orderParentsFirst(contracts)) notices.push(...(await deployOne(place, one)))
  for (const { file, kind } of documents)
    if (kind === 'monitor') notices.push(...(await deployMonitor(place, file)))
  return { notices, names: Object.fromEntries(place.names) }
}

type Place = {
  readonly runtime: Runtime
  readonly folder: string
  readonly names: Map<string, string>
}

/** A file that holds another document now has left the one before in force, which nobody else would say. */
async function nameFile(
  { runtime, names }: Place,
  file: string,
  kind: DocumentKind,
  name: string,
): Promise<readonly DevNotice[]> {
  const before = names.get(file)
  const id = `${kind} ${name}`
  names.set(file, id)
  if (before === undefined || before === id || [...names.values()].includes(before)) return []
  if (!(await isInForce(runtime, before))) return []
  return [{ kind: 'warning', text: `${file} has no ${before} any more; it stays in force` }]
}

/** Of two files that hold the same, the one that did so first. */
function findOther({ names }: Place, file: string): DevNotice | null {
  const id = names.get(file)
  const first = [...names].find(([, one]) => one === id)?.[0] ?? file
  if (first === file) return null
  const detail = `\`${id?.split(' ')[1]}\` has its ${id?.split(' ')[0]} in ${first}`
  return { kind: 'problem', problems: [{ file, line: null, detail }], keeps: true }
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
  place: Place,
  { file, contract }: ReadContract,
): Promise<readonly DevNotice[]> {
  const { agent_id, version: written } = contract
  const { runtime } = place
  const other = findOther(place, file)
  if (other !== null) return [other]
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
  if (!done.ok) return [await refuse(place, { file, kind: 'contract' }, done.error)]
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

async function deployMonitor(place: Place, file: string): Promise<readonly DevNotice[]> {
  const { runtime, folder } = place
  const read = await readMonitorFile(resolve(folder, file))
  if (!read.ok) return [await refuse(place, { file, kind: 'monitor' }, read.error)]
  const { name } = read.value
  const moved = await nameFile(place, file, 'monitor', name)
  const other = findOther(place, file)
  if (other !== null) return [other]
  try {
    const before = await findMonitor(runtime, name)
    const done = await runtime.monitor(resolve(folder, file))
    if (done.unchanged) return moved
    const changes = before === undefined ? [] : listDocumentChanges(before, toDocument(read.value))
    return [...moved, { kind: 'monitor', file, name, changes: changes.map(formatChange) }]
  } catch (error) {
    return [await refuse(place, { file, kind: 'monitor' }, describeError(error).failure)]
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
  place: Place,
  document: ProjectDocument,
  failure: Failure,
): Promise<DevNotice> {
  const problems = toFileProblems(place.folder, document.file, failure)
  return { kind: 'problem', problems, keeps: await isDeployed(place, document) }
}

/** By what it held when it could be read; else by the name in the text. */
async function isDeployed(
  { runtime, folder, names }: Place,
  { file, kind }: ProjectDocument,
): Promise<boolean> {
  const before = names.get(file)
  if (before !== undefined) return isInForce(runtime, before)
  const member = kind === 'contract' ? 'agent_id' : 'name'
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => '')
  const name = new RegExp(`^${member}\\s*:\\s*["']?([^\\s"'#]+)`, 'm').exec(text)?.[1] ?? ''
  return isInForce(runtime, `${kind} ${name}`)
}

async function isInForce({ engine }: Runtime, id: string): Promise<boolean> {
  const { contracts, monitors } = await engine.context.authorities.loadLatest()
  const [kind, name = ''] = id.split(' ')
  return kind === 'contract' ? contracts.has(name) : monitors.has(name)
}
