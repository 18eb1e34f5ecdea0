import type { Client, ClientAnswer, ExecutionView } from 'rubicon-agents/client'

/** One effect of a flow, which may have more of them than a page has; null: there is none of that step. */
export async function findExecution(
  client: Pick<Client, 'listExecutions'>,
  dfid: string,
  step: string,
  signal: AbortSignal,
): Promise<ClientAnswer<{ readonly found: ExecutionView | null }>> {
  for (let place: { readonly cursor?: string } = {}; ; ) {
    const answer = await client.listExecutions({ query: { dfid, ...place }, signal })
    if (!answer.ok) return answer
    const { executions, next } = answer.body
    const found = executions.find(({ step_id }) => step_id === step) ?? null
    if (found !== null || next === null) return { ...answer, body: { found } }
    place = { cursor: next }
  }
}
