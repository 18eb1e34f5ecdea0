/**
 * A model that says what somebody wrote down before: for tests, demos and the first steps without an account.
 * The same script and the same requests give the same replies, byte for byte.
 */
import { toCanonicalText } from 'rubicon-kernel'
import {
  ModelFailure,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
} from '../../ports/model.ts'

/** What it says next: text, or more exactly; a failure is thrown. */
export type ScriptedReply =
  | string
  | ModelFailure
  | {
      /** What it says. */
      readonly text?: string
      /** What it calls; an id is made where none is given. */
      readonly calls?: readonly (Omit<ModelToolCall, 'id'> & { readonly id?: string })[]
      /** Why it says no more; made from its calls when left out. */
      readonly stop?: ModelReply['stop']
      /** Another model than was asked. */
      readonly model?: string
      /** Left out: four characters are a token. Null: it does not say. */
      readonly usage?: ModelUsage | null
    }

/** One after the other, or made from what is asked and how often something was asked before. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ModelRequest, turn: number) => ScriptedReply)

/** What a scripted provider says. */
export type ScriptedOptions = {
  /** Under which it stands in the record; `scripted` when nobody says. */
  readonly name?: string
  /** Its replies. */
  readonly script: Script
  /** Of every model; left out: none has a price. */
  readonly price?: ModelPrice
}

/** A provider that says what it was given to say: for tests, and for projects without a model. */
export function createScriptedProvider(options: ScriptedOptions): ModelProvider {
  const { name = 'scripted', script, price } = options
  let turns = 0
  return {
    name,
    findPrice: () => price,
    async generate(request, { signal, onText }) {
      if (signal.aborted)
        throw new ModelFailure('MODEL_TIMEOUT', 'nobody waits for the reply any more', {
          charged: false,
        })
      const turn = turns
      turns += 1
      const next = typeof script === 'function' ? script(request, turn) : script[turn]
      if (next === undefined)
        throw new ModelFailure('MODEL_REFUSED', `the script has no reply ${turn + 1}`, {
          charged: false,
        })
      if (next instanceof ModelFailure) throw next
      const reply = buildReply(request, next)
      if (onText !== undefined) for (const word of splitWords(reply.text)) onText(word)
      return reply
    },
  }
}

function buildReply(request: ModelRequest, next: Exclude<ScriptedReply, ModelFailure>): ModelReply {
  const said = typeof next === 'string' ? { text: next } : next
  const { text = '', model = request.model } = said
  const calls = (said.calls ?? []).map((call, place) => ({
    ...call,
    id: call.id ?? `call_${place}`,
  }))
  const stop = said.stop ?? (calls.length === 0 ? 'end' : 'tools')
  const usage = said.usage === undefined ? computeUsage(request, text, calls) : said.usage
  const reply = { model, text, calls, stop, usage }
  return { ...reply, raw: toCanonicalText(reply) }
}

const TOKEN_LENGTH = 4

function computeUsage(
  request: ModelRequest,
  text: string,
  calls: readonly ModelToolCall[],
): ModelUsage {
  const said = text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0)
  return {
    input_tokens: Math.ceil(toCanonicalText(request).length / TOKEN_LENGTH),
    output_tokens: Math.min(request.max_tokens, Math.max(1, Math.ceil(said / TOKEN_LENGTH))),
  }
}

function splitWords(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}
