/** The page of the console with a flow; with the attempt, the one where the request that waits in it is decided. */
export function toConsolePath(dfid: string, attempt?: number): string {
  return attempt === undefined ? `/flows/${dfid}` : `/inbox/${dfid}:${attempt}`
}
