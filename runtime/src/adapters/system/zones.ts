/** Time zones as the platform knows them. */
import { assert, type LocalTime } from 'rubicon-kernel'
import type { Zones } from '../../ports/zones.ts'

const WEEKDAYS: readonly string[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** One a zone: making them is slow. */
const formats = new Map<string, Intl.DateTimeFormat>()

export const systemZones: Zones = {
  knows: (zone) => formatOf(zone) !== null,
  localTime(zone, at) {
    const format = formatOf(zone)
    assert(format !== null, 'whoever asks for the time of a zone has asked whether it is known')
    return read(format.formatToParts(at))
  },
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = make(timeZone)
  if (format !== null) formats.set(timeZone, format)
  return format
}

function make(timeZone: string): Intl.DateTimeFormat | null {
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...parts })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function read(parts: readonly Intl.DateTimeFormatPart[]): LocalTime {
  const findPart = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((one) => one.type === type)?.value ?? ''
  return {
    weekday: WEEKDAYS.indexOf(findPart('weekday')),
    minute: Number(findPart('hour')) * 60 + Number(findPart('minute')),
  }
}
