/** Does what a verb changes: at a running server where `--server` names one, else on the store. */
import { type Call, serverOf } from './call.ts'
import { operating } from './open.ts'
import type { Operator } from './operator.ts'
import { serverOperator } from './server-operator.ts'
import { linkTo, parseServerUrl, tokenThatCounts } from './shell/link.ts'
import { storeOperator } from './store-operator.ts'

export async function asOperator<T>(
  call: Call,
  work: (operator: Operator) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  const server = serverOf(call)
  if (server === undefined) return operating(call, (engine) => work(storeOperator(engine)), options)
  const url = parseServerUrl(server, call)
  const token = await tokenThatCounts(call, url)
  return work(serverOperator(linkTo(url, token, call.options.text('tenant')).client))
}
