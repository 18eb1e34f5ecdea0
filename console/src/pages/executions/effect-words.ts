/** What an effect is about, from the intent that was signed for it. */
import { isObject, type JsonObject } from 'rubicon-kernel'
import type { ExecutionRow } from 'rubicon-runtime/client'
import { deedOf } from '../../parts/deed.ts'

export type IntentParts = { readonly agent_id: string; readonly params: JsonObject }

/** Its parameters are the agent's words. */
export function effectWords(row: Pick<ExecutionRow, 'policy_kind' | 'intent'>): string {
  return deedOf(row.policy_kind, parseIntent(row).params)
}

/** The intent is canonical text that the runtime wrote; what is not in it is left out. */
export function parseIntent({ intent }: Pick<ExecutionRow, 'intent'>): IntentParts {
  const { agent_id, params } = JSON.parse(intent) as JsonObject
  return {
    agent_id: typeof agent_id === 'string' ? agent_id : '',
    params: isObject(params) ? params : {},
  }
}
