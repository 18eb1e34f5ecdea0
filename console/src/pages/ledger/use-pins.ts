import { useCallback, useState } from 'react'
import { readChoice, writeChoice } from '../../choice.ts'
import { type Pin, parsePins, serialisePins } from './pins.ts'

export type Pins = {
  readonly pins: readonly Pin[]
  readonly pin: (pin: Pin) => void
  readonly unpin: (pin: Pin) => void
}

/** What is pinned in this browser. */
export function usePins(): Pins {
  const [pins, setPins] = useState(() => parsePins(readChoice('pins')))
  const keep = useCallback((kept: readonly Pin[]) => {
    writeChoice('pins', serialisePins(kept))
    setPins(kept)
  }, [])
  return {
    pins,
    pin: (one) => keep([...pins, one]),
    unpin: (one) => keep(pins.filter((other) => other !== one)),
  }
}
