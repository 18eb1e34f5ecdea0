/** Resources as the root of their World has them: rows, pages and root are of one moment. */
import {
  encodeHex,
  hashResourceKey,
  isIdentifier,
  listTriePrefixes,
  type Resource,
  type Sha256,
  type TrieNode,
  type WorldFact,
} from 'rubicon-kernel'
import { type CheckedWorld, checkPage, checkResource, EMPTY_WORLD } from '../unit/world-check.ts'
import { buildLookup } from './bulk.ts'
import { PAGES, parsePage, parsePageRef } from './fetch.ts'
import { encodeArray } from './parameters.ts'
import {
  HEAD_COLUMNS,
  parseBytes,
  parseHead,
  parseResource,
  RESOURCE_COLUMNS,
  type Row,
} from './rows.ts'
import { awaitAll, type DatabaseSession } from './session.ts'

type Ref = { readonly kind: string; readonly id: string }

/** Beyond so many levels keys are chosen to share them; then all are read. */
const USUAL_LEVELS = 16
const ALL_LEVELS = 64

/** In the order that was asked for. */
export async function listWorldFacts(
  trajectory: string,
  refs: readonly Ref[],
  tenant: string,
  session: DatabaseSession,
  sha256: Sha256,
): Promise<WorldFact[]> {
  const keys = refs
    .filter(({ kind }) => isIdentifier(kind))
    .map(({ kind, id }) => hashResourceKey(kind, id, sha256))
  if (keys.length === 0) return []
  const read = (levels: number) => readRows(trajectory, keys, levels, tenant, session)
  let rows = await read(USUAL_LEVELS)
  if (keys.some((key) => rows.pages.has(listTriePrefixes(key, USUAL_LEVELS).at(-1) ?? '')))
    rows = await read(ALL_LEVELS)
  const world = buildCheckedWorld(trajectory, rows, sha256)
  return keys.flatMap((key) => {
    const resource = rows.resources.get(encodeHex(key))
    checkResource(key, resource, world, sha256)
    if (resource === undefined) return []
    const { last_entry: _, ...fact } = resource
    return [fact]
  })
}

type WorldRows = {
  readonly root: string
  readonly resources: ReadonlyMap<string, Resource>
  readonly pages: ReadonlyMap<string, TrieNode>
}

async function readRows(
  trajectory: string,
  keys: readonly Uint8Array[],
  levels: number,
  tenant: string,
  session: DatabaseSession,
): Promise<WorldRows> {
  const prefixes = [...new Set(keys.flatMap((key) => listTriePrefixes(key, levels)))]
  const repeatTrajectory = (list: readonly unknown[]) =>
    encodeArray(
      'text',
      list.map(() => trajectory),
    )
  const [, heads, resources, pages] = await awaitAll([
    session.runScript('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'),
    session.run(HEADS, tenant, encodeArray('text', [trajectory])),
    session.run(RESOURCES, tenant, repeatTrajectory(keys), encodeArray('bytea', keys)),
    session.run(PAGES, tenant, repeatTrajectory(prefixes), encodeArray('text', prefixes)),
    session.commit(),
  ])
  return {
    root: heads.map(parseHead)[0]?.world_root ?? EMPTY_WORLD,
    resources: new Map(resources.map((row) => [encodeHex(parseKey(row)), parseResource(row)])),
    pages: new Map(pages.map((row) => [parsePageRef(row).prefix, parsePage(row)])),
  }
}

function buildCheckedWorld(
  trajectory: string,
  { root, pages }: WorldRows,
  sha256: Sha256,
): CheckedWorld {
  const good = new Set<string>()
  const world: CheckedWorld = {
    trajectory,
    root,
    read(prefix) {
      const page = pages.get(prefix)
      if (page !== undefined && !good.has(prefix)) checkPage(prefix, page, world, sha256)
      good.add(prefix)
      return page
    },
  }
  return world
}

function parseKey(row: Row): Uint8Array {
  return parseBytes(row, 'key') ?? new Uint8Array()
}

const HEADS = buildLookup('world_heads', HEAD_COLUMNS, 'trajectories', { trajectory: 'text' })
const RESOURCES = buildLookup('resources_named', RESOURCE_COLUMNS, 'resources', {
  trajectory: 'text',
  key: 'bytea',
})
