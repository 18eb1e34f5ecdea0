/** One line of the doctor's. */
export type Check = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly detail: string
  readonly fix?: string
}

export function createPassedCheck(name: string, detail: string): Check {
  return { name, status: 'ok', detail }
}

export function createWarningCheck(name: string, detail: string, fix: string): Check {
  return { name, status: 'warning', detail, fix }
}

export function createFailedCheck(name: string, detail: string, fix: string): Check {
  return { name, status: 'failure', detail, fix }
}

export function hasFailed({ status }: Check): boolean {
  return status === 'failure'
}
