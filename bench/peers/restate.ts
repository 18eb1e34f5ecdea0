/** Restate: a service handler, its gate and its effect each a journalled run, on a server of ours. */
import { createServer, type Http2Server } from 'node:http2'
import { type Context, createEndpointHandler, service } from '@restatedev/restate-sdk'
import { type Peer, type PeerOptions, parsePeerOptions, printFigure } from './peer.ts'
import { judgeProposal, type Outcome, type Proposal, refund, toDenied } from './refund.ts'
import { PARTITIONS, startRestate } from './restate-server.ts'

async function openRestate({ lanes, variant }: PeerOptions): Promise<Peer> {
  const oneStep = variant === 'one_step'
  const handleProposal = async (context: Context, proposal: Proposal): Promise<Outcome> => {
    const verdict = oneStep
      ? judgeProposal(proposal)
      : await context.run('gate', () => judgeProposal(proposal))
    if (verdict.kind === 'deny') return toDenied(verdict)
    return context.run('refund', () => refund(proposal))
  }
  const refunds = service({ name: 'refunds', handlers: { refund: handleProposal } })
  // A line of log for every invocation would be measured too.
  const endpoint = createServer(createEndpointHandler({ services: [refunds], logger: () => {} }))
  const port = await listen(endpoint)
  const server = await startRestate({ lanes, service: `http://127.0.0.1:${port}` })
  const gated = oneStep ? 'gate in the handler, its verdict not recorded' : 'gate as a run'
  return {
    note: `its own log, synced, ${PARTITIONS} partition; ${gated}; effect as a run`,
    async act(proposal) {
      const outcome: Outcome = JSON.parse(await server.invoke('/refunds/refund', proposal))
      return outcome
    },
    close: () => server.stop(),
  }
}

async function listen(server: Http2Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  return address.port
}

const options = parsePeerOptions(['one_step'])
await printFigure('restate', options, await openRestate(options))
// The endpoint and kept sockets would hold the process.
process.exit()
