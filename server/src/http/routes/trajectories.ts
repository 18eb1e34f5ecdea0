/** Trajectories: their entries in order, branches from any of them, and flows in a branch. */
import { LIMITS, MAIN } from 'rubicon-kernel'
import type { OpenRequest } from 'rubicon-runtime/engine/flow'
import { branchTrajectory, Prover } from 'rubicon-runtime/evidence'
import type { FlowRow, LeafEntry, StoredEntry } from 'rubicon-runtime/ports'
import { createLookupHandler } from '../lookups/lookup.ts'
import { refuseUnknownEntry } from '../lookups/trajectories.ts'
import { toProblemReply } from '../problems/problem.ts'
import { entryProof, ledgerEntries, trajectory } from '../schemas/ledger.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildEnum,
  buildPageSchema,
  buildWholeObject,
  cursor,
  identifier,
  integer,
  limit,
  listOf,
  natural,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { obtainFreshCheckpoint } from '../views/fresh-checkpoint.ts'
import { buildProofView } from '../views/ledger-view.ts'

/** Of an entry in its trajectory. */
const place = { ...integer, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const READERS = ['operator', 'approver', 'auditor'] as const

export function createTrajectoryRoutes({ lookups, ...parts }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/trajectories',
      operation: 'listTrajectories',
      summary: 'trajectories by name, each with its head',
      roles: READERS,
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('trajectories', trajectory),
      handle: createLookupHandler(lookups, 'listTrajectories'),
    },
    {
      method: 'GET',
      path: '/v1/trajectories/:id/entries',
      operation: 'listTrajectoryEntries',
      summary: 'entries of a trajectory, newest first, with what they say; `from` a seq, in order',
      roles: READERS,
      query: buildClosedObject({ from: natural, cursor, limit }),
      reply: ledgerEntries,
      handle: createLookupHandler(lookups, 'listTrajectoryEntries'),
    },
    createProofRoute(parts),
    createBranchRoute(parts),
    createBranchFlowRoute(parts),
  ]
}

function createProofRoute({ engine }: ServerParts): Route {
  const { store, sha256 } = engine.context
  const prover = new Prover(store, sha256)
  return {
    method: 'GET',
    path: '/v1/trajectories/:id/proofs',
    operation: 'proveEntry',
    summary: 'proof that an entry is in the log, and that the log continues an earlier checkpoint',
    roles: READERS,
    query: buildClosedObject({ seq: natural, before: natural }, ['seq']),
    reply: entryProof,
    async handle({ params: { id = '' }, query }) {
      const [entry] = await store.listEntries(id, Number(query.seq), 1)
      if (entry === undefined) return refuseUnknownEntry(id, query.seq ?? '')
      const checkpoint = await obtainFreshCheckpoint(engine)
      if (!checkpoint.ok) return checkpoint.error
      // It may have had no place when it was read.
      const [placed] = await store.listEntries(id, Number(query.seq), 1)
      if (!isCovered(placed, checkpoint.value.size)) return refuseUncoveredEntry()
      const before = query.before === undefined ? undefined : Number(query.before)
      const isEarlier = before === undefined || (before > 0 && before <= checkpoint.value.size)
      if (!isEarlier) return refuseUnknownCheckpoint(before, checkpoint.value.size)
      return toReply(await buildProofView(store, prover, placed, checkpoint.value, before))
    },
  }
}

function createBranchRoute({ engine }: ServerParts): Route {
  return {
    method: 'POST',
    path: '/v1/trajectories/:id/branches',
    operation: 'branchTrajectory',
    summary: 'start a trajectory from an entry of this one, with its World',
    roles: ['operator'],
    body: buildClosedObject({ seq: place, name: identifier, note: text(LIMITS.noteLength) }, [
      'seq',
      'name',
    ]),
    once: true,
    reply: buildWholeObject({ trajectory: string, id: string }),
    status: 201,
    async handle({ params: { id: source = '' }, body }) {
      const { seq, name, note } = parseBranching(body)
      const branched = await branchTrajectory(engine, {
        source: { trajectory: source, seq },
        name,
        note: note ?? '',
      })
      return branched.ok ? toReply(branched.value, 201) : toProblemReply(branched.error)
    },
  }
}

/** Whoever makes branches has agents try something in them; what leaves World the kernel refuses there. */
function createBranchFlowRoute({ engine }: ServerParts): Route {
  return {
    method: 'POST',
    path: '/v1/trajectories/:id/flows',
    operation: 'openBranchFlow',
    summary: 'open a flow for an agent in a branch; what leaves its World is refused there',
    roles: ['operator'],
    body: branchOpening,
    once: true,
    reply: buildWholeObject({ dfid: string, agent: string, trajectory: string }),
    status: 201,
    async handle({ params: { id: trajectory = '' }, body }) {
      if (trajectory === MAIN) return refuseInMain()
      const opened = await engine.open({ ...parseBranchOpening(body), trajectory })
      if (!opened.ok) return toProblemReply(opened.error)
      engine.context.opened(opened.value)
      return toBranchFlowReply(opened.value.flow)
    },
  }
}

const branchOpening = buildClosedObject(
  {
    agent: identifier,
    trigger: text(LIMITS.noteLength),
    steps: buildEnum('one', 'many'),
    state: listOf(text(256), LIMITS.contextStatePaths),
    world: listOf(
      buildClosedObject({ kind: identifier, id: text(LIMITS.resourceIdLength) }, ['kind', 'id']),
      LIMITS.contextStatePaths,
    ),
  },
  ['agent', 'trigger'],
)

/** As its schema says. */
function parseBranchOpening(body: RouteRequest['body']): OpenRequest {
  return body as unknown as OpenRequest
}

function toBranchFlowReply({ dfid, agent_id: agent, trajectory }: FlowRow): Reply {
  return toReply({ dfid, agent, trajectory }, 201)
}

function refuseInMain(): Reply {
  return toProblemReply({
    code: 'FLOW_FOREIGN',
    summary: 'flows in `main` are opened by their agents',
    why: 'what an agent does there happens, and is what its own session asked for',
    fix: 'name a branch, or have the agent open the flow',
  })
}

function isCovered(entry: StoredEntry | undefined, size: number): entry is LeafEntry {
  return entry !== undefined && entry.leaf !== null && entry.leaf < size
}

function refuseUncoveredEntry(): Reply {
  return toProblemReply({
    code: 'CHECKPOINT_MISSING',
    summary: 'no checkpoint covers this entry yet',
    fix: 'ask again in a moment',
  })
}

function refuseUnknownCheckpoint(before: number, size: number): Reply {
  return toProblemReply({
    code: 'CHECKPOINT_UNKNOWN',
    summary: `no checkpoint over ${before} entries comes before one over ${size}`,
    fix: 'give the size of an earlier checkpoint',
  })
}

type Branching = { readonly seq: number; readonly name: string; readonly note?: string }

/** As its schema says. */
function parseBranching(body: RouteRequest['body']): Branching {
  return body as unknown as Branching
}
