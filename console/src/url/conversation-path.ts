/** The list of flows of one conversation. */
export function toConversationPath(agent: string, conversation: string): string {
  return `/flows?${new URLSearchParams({ agent, conversation })}`
}
