/** One line of the doctor's. */
export type Check = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly detail: string
  readonly fix?: string
}

export function good(name: string, detail: string): Check {
  return { name, status: 'ok', detail }
}

export function warning(name: string, detail: string, fix: string): Check {
  return { name, status: 'warning', detail, fix }
}

export function failure(name: string, detail: string, fix: string): Check {
  return { name, status: 'failure', detail, fix }
}

export function failed({ status }: Check): boolean {
  return status === 'failure'
}
