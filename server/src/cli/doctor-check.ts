/** One line of the doctor's. */
export type DoctorCheck = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly detail: string
  readonly fix?: string
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
