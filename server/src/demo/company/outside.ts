/** What is outside the runtime in the demo: a payment provider, a cluster, a market. All of it in this process. */
import type { DeclaredSource, SourceReading } from 'rubicon-runtime/ports'

/** How the outside behaves at the next call; a story sets it, and sets it back. */
export type Outside = {
  /** The effect happens, and nobody hears of it. */
  losesAnswer: boolean
  /** Orders on the market find nobody. */
  hasNoOffers: boolean
  /** USD for one unit of a currency. */
  readonly prices: Record<string, string>
}

export function createOutside(): Outside {
  return {
    losesAnswer: false,
    hasNoOffers: false,
    prices: { EUR: '1.0842', GBP: '1.2710', JPY: '0.0066' },
  }
}

export function toPricePath(currency: string): string {
  return `market.price.${currency}`
}

/** The market says what currencies cost, as it stands when somebody looks. */
export function createMarketSource({ prices }: Outside, now: () => number): DeclaredSource {
  return {
    source_id: 'market',
    label: 'trusted',
    paths: ['market.price.*'],
    async read(paths) {
      const observed_at = new Date(now()).toISOString()
      return paths.flatMap((path): readonly SourceReading[] => {
        const value = prices[path.slice(toPricePath('').length)]
        return value === undefined ? [] : [{ path, value, observed_at, version: observed_at }]
      })
    },
  }
}
