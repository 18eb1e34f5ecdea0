/** What an auditor takes away: the signed state of the log, and a flow as one file. */
import { ok } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { logVerifierKey } from 'rubicon-runtime/engine/ledger'
import { exportBundle, exportStatement, Prover } from 'rubicon-runtime/evidence'
import { toProblemReply } from '../problems/problem.ts'
import { latestCheckpoint } from '../schemas/ledger.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildFileHeaders } from '../turns/downloads.ts'
import { type SlowReads, toSlowReadCaller } from '../turns/slow-reads.ts'
import { obtainFreshCheckpoint } from '../views/fresh-checkpoint.ts'
import { buildCheckpointView } from '../views/ledger-view.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function createEvidenceRoutes({ engine }: ServerParts, past: SlowReads): readonly Route[] {
  const { store, sha256 } = engine.context
  const prover = new Prover(store, sha256)
  return [
    {
      method: 'GET',
      path: '/v1/checkpoints/latest',
      operation: 'getCheckpoint',
      summary: 'the signed state of the log',
      roles: READERS,
      reply: latestCheckpoint,
      async handle() {
        const latest = await store.readCheckpoint()
        const known = latest === null ? await obtainFreshCheckpoint(engine) : ok(latest)
        if (!known.ok) return known.error
        const view = await buildCheckpointView(store, known.value)
        return toReply({ ...view, verifier_key: await findVerifierKey(engine) })
      },
    },
    {
      method: 'GET',
      path: '/v1/bundles/:dfid',
      operation: 'exportBundle',
      summary: 'a flow as one file, to be verified elsewhere',
      roles: READERS,
      reply: 'text',
      handle: (asked) =>
        past.ask(toSlowReadCaller(asked), async (pause) => {
          const { dfid = '' } = asked.params
          // What has come since the last checkpoint would have no proof.
          const covered = await obtainFreshCheckpoint(engine)
          if (!covered.ok) return covered.error
          const bundle = await exportBundle(store, sha256, dfid, prover, pause)
          if (!bundle.ok) return toProblemReply(bundle.error)
          return { status: 200, body: bundle.value, headers: buildFileHeaders(`${dfid}.json`) }
        }),
    },
    {
      method: 'GET',
      path: '/v1/bundles/:dfid/statement',
      operation: 'exportStatement',
      summary: 'the proven intents of a flow as an in-toto statement in a DSSE envelope',
      roles: READERS,
      reply: 'text',
      handle: (asked) =>
        past.ask(toSlowReadCaller(asked), async () => {
          const { dfid = '' } = asked.params
          const covered = await obtainFreshCheckpoint(engine)
          if (!covered.ok) return covered.error
          const statement = await exportStatement(engine.context, dfid)
          if (!statement.ok) return toProblemReply(statement.error)
          const headers = buildFileHeaders(`${dfid}.intoto.json`)
          return { status: 200, body: statement.value, headers }
        }),
    },
  ]
}

/** Null where this process holds no checkpoint key: then it signs no notes. */
async function findVerifierKey({ context }: Engine): Promise<string | null> {
  const { signer, authorities, tenant, sha256 } = context
  const key = signer.publicKey('checkpoint')
  return key === null ? null : logVerifierKey(tenant, await authorities.loadLatest(), key, sha256)
}
