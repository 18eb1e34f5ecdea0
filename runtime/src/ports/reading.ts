import type { GaugeName, Labels } from './telemetry.ts'

/** The value of a gauge as of now. */
export type Reading = {
  /** Of the gauge. */
  readonly name: GaugeName
  /** As of now. */
  readonly value: number
  /** Which part of it, where it has parts. */
  readonly labels?: Labels
}
