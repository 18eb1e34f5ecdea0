/** Every mistake that can be made on purpose, by area. */
import { ACTS_PATCHES } from './acts.ts'
import { ANSWER_WINDOW_PATCHES } from './answer-windows.ts'
import { API_DOCUMENT_PATCHES } from './api-document.ts'
import { APPROVAL_PATCHES } from './approvals.ts'
import { APPROVER_KEY_PATCHES } from './approver-keys.ts'
import { ARBITRATION_PATCHES } from './arbitration.ts'
import { ARCHIVES_PATCHES } from './archives.ts'
import { ARTIFACT_BOUNDS_PATCHES } from './artifact-bounds.ts'
import { ARTIFACT_DOOR_PATCHES } from './artifact-doors.ts'
import { ARTIFACT_FILES_PATCHES } from './artifact-files.ts'
import { ARTIFACT_FORMAT_PATCHES } from './artifact-formats.ts'
import { ARTIFACT_HANDS_PATCHES } from './artifact-hands.ts'
import { ARTIFACT_STUCK_PATCHES } from './artifact-stuck.ts'
import { ATOM_PATCHES } from './atoms.ts'
import { BELIEVED_PATCHES } from './believed.ts'
import { BID_PATCHES } from './bids.ts'
import { BRANCH_PATCHES } from './branches.ts'
import { CALL_PATCHES } from './calls.ts'
import { CANARY_PATCHES } from './canary.ts'
import { CHANNEL_PATCHES } from './channels.ts'
import { COMMAND_LINE_PATCHES } from './command-line.ts'
import { COMMAND_WORDS_PATCHES } from './command-words.ts'
import { COMPOSITION_PATCHES } from './composition.ts'
import { CONNECTION_PATCHES } from './connections.ts'
import { CONSOLE_WORD_PATCHES } from './console-words.ts'
import { CONTEXTS_PATCHES } from './contexts.ts'
import { CONTRACTS_PATCHES } from './contracts.ts'
import { DELTAS_PATCHES } from './deltas.ts'
import { DESK_PATCHES } from './desks.ts'
import { DIVERGENCE_PATCHES } from './divergence.ts'
import { DOOR_PATCHES } from './doors.ts'
import { DOWNLOAD_PATCHES } from './downloads.ts'
import { DRAFT_PATCHES } from './drafts.ts'
import { ERASED_MEMORY_PATCHES } from './erased-memory.ts'
import { ERASURE_PATCHES } from './erasure.ts'
import { ESCALATION_PATCHES } from './escalation.ts'
import { EVALUATOR_PATCHES } from './evaluators.ts'
import { EVENT_CHILDREN_PATCHES } from './event-children.ts'
import { FACTS_PATCHES } from './facts.ts'
import { FIGURES_PATCHES } from './figures.ts'
import { FLOWS_PATCHES } from './flows.ts'
import { FOLD_PATCHES } from './fold.ts'
import { GENERATIONS_PATCHES } from './generations.ts'
import { GIVEN_PATCHES } from './given.ts'
import { GRAMMARS_PATCHES } from './grammars.ts'
import { GUARDS_PATCHES } from './guards.ts'
import { HALT_PATCHES } from './halts.ts'
import { HEADS_PATCHES } from './heads.ts'
import { HOSTILE_DOOR_PATCHES } from './hostile-doors.ts'
import { HOSTILE_LAW_PATCHES } from './hostile-law.ts'
import { HOSTILE_MANIFESTS_PATCHES } from './hostile-manifests.ts'
import { HOSTILE_RULE_PATCHES } from './hostile-rules.ts'
import { HOSTILE_SERVER_PATCHES } from './hostile-servers.ts'
import { HOSTILE_TOOLS_PATCHES } from './hostile-tools.ts'
import { INSTANCES_PATCHES } from './instances.ts'
import { INVENTED_PATCHES } from './invented.ts'
import { KEPT_REGISTRY_PATCHES } from './kept-registry.ts'
import { LATE_CALL_PATCHES } from './late-calls.ts'
import { LOCAL_OPERATOR_PATCHES } from './local-operator.ts'
import { LOCAL_SOCKET_PATCHES } from './local-socket.ts'
import { LOG_PATCHES } from './log.ts'
import { LONG_PAGE_PATCHES } from './long-pages.ts'
import { MANIFESTS_PATCHES } from './manifests.ts'
import { MASKS_PATCHES } from './masks.ts'
import { MCP_DOOR_PATCHES } from './mcp-door.ts'
import { MCP_FRONT_PATCHES } from './mcp-front.ts'
import { MCP_LOCK_PATCHES } from './mcp-lock.ts'
import { MCP_PROGRAM_PATCHES } from './mcp-programs.ts'
import { MCP_SERVER_PATCHES } from './mcp-servers.ts'
import { MCP_SETUP_PATCHES } from './mcp-setup.ts'
import { MERGES_PATCHES } from './merges.ts'
import { MESH_PATCHES } from './mesh.ts'
import { MODEL_DOOR_PATCHES } from './model-doors.ts'
import { MODELS_PATCHES } from './models.ts'
import { ONE_UNIT_PATCHES } from './one-unit.ts'
import { OPINION_PATCHES } from './opinions.ts'
import { OUTSIDE_PATCHES } from './outside.ts'
import { PACKING_PATCHES } from './packing.ts'
import { PAGE_PATCHES } from './pages.ts'
import type { Patch } from './patch.ts'
import { PERSONS_PATCHES } from './persons.ts'
import { POLICY_FORM_PATCHES } from './policy-forms.ts'
import { PRODUCTION_PATCHES } from './production.ts'
import { PROJECT_PATCHES } from './projects.ts'
import { PROOF_COURSE_PATCHES } from './proof-courses.ts'
import { PROOF_DOORS_PATCHES } from './proof-doors.ts'
import { PROOF_PATCHES } from './proofs.ts'
import { READING_PATCHES } from './reading.ts'
import { RENAME_PATCHES } from './renames.ts'
import { ROUTES_PATCHES } from './routes.ts'
import { RULES_PATCHES } from './rules.ts'
import { SAGAS_PATCHES } from './sagas.ts'
import { SAID_PATCHES } from './said.ts'
import { SDK_PATCHES } from './sdk.ts'
import { SEALS_PATCHES } from './seals.ts'
import { SEARCH_FIGURES_PATCHES } from './search-figures.ts'
import { SEARCH_INDEX_PATCHES } from './search-index.ts'
import { SEARCH_PATCHES } from './searches.ts'
import { SECRETS_PATCHES } from './secrets.ts'
import { SELF_APPROVAL_PATCHES } from './self-approval.ts'
import { SENDS_PATCHES } from './sends.ts'
import { SESSIONS_PATCHES } from './sessions.ts'
import { SIBLINGS_PATCHES } from './siblings.ts'
import { SIGNATURES_PATCHES } from './signatures.ts'
import { STARVING_PATCHES } from './starving.ts'
import { STOPPING_PATCHES } from './stopping.ts'
import { STORM_PATCHES } from './storm.ts'
import { STORM_CRAFT_PATCHES } from './storm-crafts.ts'
import { STORM_EVENT_PATCHES } from './storm-events.ts'
import { STORM_WAYS_PATCHES } from './storm-ways.ts'
import { TELEMETRY_PATCHES } from './telemetry.ts'
import { TOOL_DRAFTS_PATCHES } from './tool-drafts.ts'
import { TOOL_HANDS_PATCHES } from './tool-hands.ts'
import { TOOL_PROGRAMS_PATCHES } from './tool-programs.ts'
import { TOOL_SECRETS_PATCHES } from './tool-secrets.ts'
import { VERIFIER_PATCHES } from './verifier.ts'
import { VIEWS_PATCHES } from './views.ts'
import { WATCH_PATCHES } from './watch.ts'

export const PATCHES: readonly Patch[] = assertUniqueNames([
  ...ACTS_PATCHES,
  ...ANSWER_WINDOW_PATCHES,
  ...API_DOCUMENT_PATCHES,
  ...APPROVAL_PATCHES,
  ...APPROVER_KEY_PATCHES,
  ...ARBITRATION_PATCHES,
  ...EVENT_CHILDREN_PATCHES,
  ...ARCHIVES_PATCHES,
  ...BELIEVED_PATCHES,
  ...BID_PATCHES,
  ...BRANCH_PATCHES,
  ...CALL_PATCHES,
  ...CANARY_PATCHES,
  ...CHANNEL_PATCHES,
  ...COMMAND_LINE_PATCHES,
  ...COMMAND_WORDS_PATCHES,
  ...COMPOSITION_PATCHES,
  ...CONNECTION_PATCHES,
  ...CONSOLE_WORD_PATCHES,
  ...CONTEXTS_PATCHES,
  ...CONTRACTS_PATCHES,
  ...DELTAS_PATCHES,
  ...DESK_PATCHES,
  ...DIVERGENCE_PATCHES,
  ...DOOR_PATCHES,
  ...DOWNLOAD_PATCHES,
  ...ERASED_MEMORY_PATCHES,
  ...ERASURE_PATCHES,
  ...ESCALATION_PATCHES,
  ...FLOWS_PATCHES,
  ...FACTS_PATCHES,
  ...FIGURES_PATCHES,
  ...FOLD_PATCHES,
  ...GENERATIONS_PATCHES,
  ...GIVEN_PATCHES,
  ...GRAMMARS_PATCHES,
  ...GUARDS_PATCHES,
  ...HALT_PATCHES,
  ...HEADS_PATCHES,
  ...HOSTILE_DOOR_PATCHES,
  ...HOSTILE_LAW_PATCHES,
  ...HOSTILE_MANIFESTS_PATCHES,
  ...HOSTILE_RULE_PATCHES,
  ...HOSTILE_SERVER_PATCHES,
  ...HOSTILE_TOOLS_PATCHES,
  ...INSTANCES_PATCHES,
  ...INVENTED_PATCHES,
  ...KEPT_REGISTRY_PATCHES,
  ...LATE_CALL_PATCHES,
  ...LOCAL_OPERATOR_PATCHES,
  ...LOCAL_SOCKET_PATCHES,
  ...LOG_PATCHES,
  ...LONG_PAGE_PATCHES,
  ...MANIFESTS_PATCHES,
  ...MCP_LOCK_PATCHES,
  ...MCP_PROGRAM_PATCHES,
  ...MASKS_PATCHES,
  ...MCP_DOOR_PATCHES,
  ...MCP_FRONT_PATCHES,
  ...MCP_SERVER_PATCHES,
  ...MCP_SETUP_PATCHES,
  ...MODEL_DOOR_PATCHES,
  ...MODELS_PATCHES,
  ...ONE_UNIT_PATCHES,
  ...OPINION_PATCHES,
  ...OUTSIDE_PATCHES,
  ...PACKING_PATCHES,
  ...PAGE_PATCHES,
  ...PERSONS_PATCHES,
  ...POLICY_FORM_PATCHES,
  ...PRODUCTION_PATCHES,
  ...MERGES_PATCHES,
  ...MESH_PATCHES,
  ...PROJECT_PATCHES,
  ...PROOF_PATCHES,
  ...ARTIFACT_FORMAT_PATCHES,
  ...ARTIFACT_DOOR_PATCHES,
  ...ARTIFACT_HANDS_PATCHES,
  ...ARTIFACT_BOUNDS_PATCHES,
  ...ARTIFACT_FILES_PATCHES,
  ...ARTIFACT_STUCK_PATCHES,
  ...ATOM_PATCHES,
  ...PROOF_COURSE_PATCHES,
  ...PROOF_DOORS_PATCHES,
  ...READING_PATCHES,
  ...RENAME_PATCHES,
  ...ROUTES_PATCHES,
  ...RULES_PATCHES,
  ...SAGAS_PATCHES,
  ...SAID_PATCHES,
  ...EVALUATOR_PATCHES,
  ...SDK_PATCHES,
  ...SEALS_PATCHES,
  ...SEARCH_FIGURES_PATCHES,
  ...SEARCH_INDEX_PATCHES,
  ...SEARCH_PATCHES,
  ...SECRETS_PATCHES,
  ...SELF_APPROVAL_PATCHES,
  ...SENDS_PATCHES,
  ...SESSIONS_PATCHES,
  ...SIBLINGS_PATCHES,
  ...SIGNATURES_PATCHES,
  ...STARVING_PATCHES,
  ...DRAFT_PATCHES,
  ...STOPPING_PATCHES,
  ...STORM_PATCHES,
  ...STORM_WAYS_PATCHES,
  ...STORM_CRAFT_PATCHES,
  ...STORM_EVENT_PATCHES,
  ...TELEMETRY_PATCHES,
  ...TOOL_DRAFTS_PATCHES,
  ...TOOL_HANDS_PATCHES,
  ...TOOL_PROGRAMS_PATCHES,
  ...TOOL_SECRETS_PATCHES,
  ...VERIFIER_PATCHES,
  ...VIEWS_PATCHES,
  ...WATCH_PATCHES,
])

export function getPatch(name: string): Patch {
  const patch = PATCHES.find((one) => one.name === name)
  if (patch === undefined) throw new Error(`no patch is named \`${name}\``)
  return patch
}

function assertUniqueNames(patches: readonly Patch[]): readonly Patch[] {
  const names = new Set<string>()
  for (const { name } of patches) {
    if (names.has(name)) throw new Error(`two patches are named \`${name}\``)
    names.add(name)
  }
  return patches
}
