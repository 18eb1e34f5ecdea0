import type { LocalTime } from 'rubicon-kernel'

/** What the clocks on the wall show in a zone of the time zone database. */
export interface Zones {
  knows(zone: string): boolean
  /** Of a zone that it knows. */
  localTime(zone: string, at: number): LocalTime
}
