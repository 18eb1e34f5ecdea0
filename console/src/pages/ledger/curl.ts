/** How a program asks for the same. The token is the reader's to fill in. */
export function formatCurl(origin: string, leaf: number | null): string {
  return `curl -H "Authorization: Bearer $RUBICON_TOKEN" ${origin}/v1/ledger/entries/${leaf}`
}
