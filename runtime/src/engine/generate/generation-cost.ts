/**
 * What a request to a model can cost at most, and what it cost. In tokens, and in USD where the model has a price.
 *
 * C1 the bound is on the safe side: providers count with other tables, and add words of their own. What is above it
 *    all the same is counted whole.
 * C2 counting takes the thread in slices: a long request in characters that few tokens are made for takes most of a
 *    second, and whoever suspends an agent does not wait for that, nor for a slice of each of many requests.
 * C3 money is never rounded down: a price is for a million tokens, and USD are counted in millionths, so that price
 *    and tokens multiplied are those, and the rest of one is one.
 */
import {
  type Budget,
  compareDecimal,
  type Decimal,
  formatBudgetUnits,
  multiplyDecimal,
  parseDecimal,
} from 'rubicon-kernel'
import type { ModelPrice, ModelRequest, ModelUsage } from '../../ports/model.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'

/** For each message and tool: what stands around it where the model reads it. */
const AROUND = 32
/** What a provider says before it all, where tools are offered. */
const BEFORE = 1_024
/** Half as many again as this runtime counts. */
const MARGIN = { times: 3, of: 2 }

/** What is counted before the thread is left to others, in characters: some milliseconds at worst. */
const SLICE = 1_024

/** Before anything is asked. `text`: the request, canonical. `pause` leaves the thread to others. */
export async function computeLargestCost(
  tokenizer: Tokenizer,
  request: ModelRequest,
  text: string,
  price: ModelPrice | undefined,
  pause: () => Promise<void>,
): Promise<Budget> {
  let tokens = 0
  for (let from = 0; from < text.length; from += SLICE) {
    if (from > 0) await pause()
    tokens += tokenizer.count(text.slice(from, from + SLICE))
  }
  const counted = Math.ceil((tokens * MARGIN.times) / MARGIN.of)
  const parts = request.messages.length + (request.tools?.length ?? 0) + 1
  const input_tokens = counted + parts * AROUND + BEFORE
  return computeUsageCost({ input_tokens, output_tokens: request.max_tokens }, price)
}

export function computeUsageCost(
  { input_tokens, output_tokens, cached_tokens = 0 }: ModelUsage,
  price: ModelPrice | undefined,
): Budget {
  const tokens = formatBudgetUnits('tokens', BigInt(input_tokens + output_tokens))
  if (price === undefined) return { tokens }
  const { input, output, cached = input } = price
  const usd =
    computeMillionths(input, input_tokens - cached_tokens) +
    computeMillionths(cached, cached_tokens) +
    computeMillionths(output, output_tokens)
  return { tokens, usd: formatBudgetUnits('usd', usd) }
}

/** A price as it was configured: no decimal, or a negative one, is none. */
export function isPrice({ input, output, cached = '0' }: ModelPrice): boolean {
  return [input, output, cached].every((amount) => {
    const decimal = parseDecimal(amount)
    return decimal !== undefined && decimal.digits >= 0n && compareDecimal(decimal, MOST) <= 0
  })
}

/** USD for a million tokens. More than that no model costs, and no counter counts. */
const MOST: Decimal = { digits: 10_000n, scale: 0 }

function computeMillionths(price: string, tokens: number): bigint {
  const cost = multiplyDecimal(parseDecimal(price) ?? NOTHING, { digits: BigInt(tokens), scale: 0 })
  const unit = 10n ** BigInt(cost.scale)
  return (cost.digits + unit - 1n) / unit
}

const NOTHING: Decimal = { digits: 0n, scale: 0 }
