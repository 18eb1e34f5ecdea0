/** Does what a verb changes: at a running server where `--server` names one, else on the store. */
import { type CommandCall, getServerOption } from './call.ts'
import { executeWithEngine } from './open.ts'
import type { Operator } from './operator.ts'
import { createServerOperator } from './server-operator.ts'
import { createLink, obtainValidToken, parseServerUrl } from './shell/link.ts'
import { storeOperator } from './store-operator.ts'

export async function executeAsOperator<T>(
  call: CommandCall,
  work: (operator: Operator) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  const server = getServerOption(call)
  if (server === undefined)
    return executeWithEngine(call, (engine) => work(storeOperator(engine)), options)
  const url = parseServerUrl(server, call)
  const token = await obtainValidToken(call, url)
  return work(createServerOperator(createLink(url, token, call.options.text('tenant')).client))
}
