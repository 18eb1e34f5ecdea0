/** DBOS: a workflow on Postgres, its gate and its effect each a durable step. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { createFreshDatabase } from './database.ts'
import { type Peer, type PeerOptions, parsePeerOptions, printFigure } from './peer.ts'
import {
  judgeProposal,
  type Outcome,
  type Proposal,
  refund,
  toDenied,
  type Verdict,
} from './refund.ts'

/** Rather more than the default of 10; 40 and 64 were not faster on two cores. */
const CONNECTIONS = 20

async function openDbos({ postgres, variant }: PeerOptions): Promise<Peer> {
  const oneStep = variant === 'one_step'
  const database = await createFreshDatabase(postgres, 'dbos')
  DBOS.setConfig({
    name: 'rubicon-peer',
    systemDatabaseUrl: database.url,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: 'error',
  })
  const runWorkflow = async (proposal: Proposal): Promise<Outcome> => {
    const check = async (): Promise<Verdict> => judgeProposal(proposal)
    const verdict = oneStep ? judgeProposal(proposal) : await DBOS.runStep(check, { name: 'gate' })
    if (verdict.kind === 'deny') return toDenied(verdict)
    return DBOS.runStep(async () => refund(proposal), { name: 'refund' })
  }
  const registered = DBOS.registerWorkflow(runWorkflow, { name: 'refund' })
  await DBOS.launch()
  const gated = oneStep ? 'gate in the workflow, its verdict not recorded' : 'gate as a step'
  return {
    note: `Postgres, ${CONNECTIONS} connections; ${gated}; effect as a step`,
    // Called as a function: with a `this`, DBOS takes it for a method.
    act: (proposal) => registered(proposal),
    async close() {
      await DBOS.shutdown()
      await database.drop()
    },
  }
}

const options = parsePeerOptions(['one_step'])
await printFigure('dbos', options, await openDbos(options))
