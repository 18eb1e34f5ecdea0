/** One line of the doctor's. */
export type DoctorCheck = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly detail: string
  readonly fix?: string
  /** What `--fix` does about it. */
  readonly repair?: DoctorRepair
}

/** Something that the doctor can put right by itself: nothing that anybody wrote is lost by it, and doing it twice does no harm. */
export type DoctorRepair = {
  /** What is done, in the imperative. */
  readonly what: string
  /** Throws where it could not be done. */
  run(): void | Promise<void>
}

/** As `--json` prints it. */
export type PrintedCheck = Omit<DoctorCheck, 'repair'> & {
  /** What `--fix` would do. */
  readonly repair?: string
}

/** What came of a repair. */
export type DoneRepair = {
  /** Of the check that found it. */
  readonly name: string
  readonly what: string
  readonly done: boolean
  /** Why it could not be done; null: it was. */
  readonly problem: string | null
}

export function attachRepair(check: DoctorCheck, repair: DoctorRepair): DoctorCheck {
  return { ...check, repair }
}

export function toPrintedCheck({ repair, ...check }: DoctorCheck): PrintedCheck {
  return repair === undefined ? check : { ...check, repair: repair.what }
}

export function createPassedCheck(name: string, detail: string): DoctorCheck {
  return { name, status: 'ok', detail }
}

export function createWarningCheck(name: string, detail: string, fix: string): DoctorCheck {
  return { name, status: 'warning', detail, fix }
}

export function createFailedCheck(name: string, detail: string, fix: string): DoctorCheck {
  return { name, status: 'failure', detail, fix }
}

export function hasFailed({ status }: DoctorCheck): boolean {
  return status === 'failure'
}
