import { useEffect, useState } from 'react'

/** So long at one moment is a stop; what is shorter is on the way. */
const REST_MS = 500

type Stops = { readonly last: number; readonly before: number }

/** Where the reader rested before this moment: what changed since then is what is new to them. */
export function useLastStop(seq: number): number {
  const [stops, setStops] = useState<Stops>({ last: seq, before: seq })
  useEffect(() => {
    const timer = setTimeout(() => {
      setStops((known) => (known.last === seq ? known : { last: seq, before: known.last }))
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [seq])
  return stops.last === seq ? stops.before : stops.last
}
