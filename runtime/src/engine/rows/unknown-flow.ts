import type { Failure } from 'rubicon-kernel'

/** `fix`: what helps whoever asked. */
export function buildFlowUnknownFailure(dfid: string, fix = 'check the dfid'): Failure {
  return { code: 'FLOW_UNKNOWN', summary: `there is no flow \`${dfid}\``, fix }
}
