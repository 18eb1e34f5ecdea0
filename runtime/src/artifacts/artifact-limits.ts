/** Every limit of artifacts in a runtime. Those of their texts stand in `rubicon-artifacts`. */
export const HANDS_LIMITS = {
  /** How long a plan holds what it claims, where nobody says. */
  planMs: 900_000,
  /** The least and the most that a runtime may say. */
  planLeastMs: 1_000,
  planMostMs: 86_400_000,
  /** Open plans of one artifact. */
  plansEach: 64,
  /** And of one agent among them: whoever plans and applies nothing leaves place for others. */
  plansOfOne: 16,
  /** Artifacts of one plan, files that are adopted at once, symbols of one call. */
  artifacts: 60,
  adopted: 240,
  symbols: 256,
  /** Changes that are followed back to the base of a plan, or to the change that is undone. */
  followed: 256,
  /** Expired plans that one call takes out of World. */
  expired: 64,
  /** Artifacts whose texts are shown to whoever plans, and characters of all of them together. */
  projectTexts: 4_096,
  projectLength: 33_554_432,
  /** Rows of a difference that stand in World for whoever approves, and characters of each side of one. */
  previewRows: 24,
  previewLength: 1_000,
  /** Of an answer: artifacts, symbols, characters of a slice, and of all symbols. */
  listed: 500,
  listedSymbols: 1_000,
  sliceLength: 32_768,
  answerLength: 131_072,
  /** Characters of what is answered of a plan. */
  summaryLength: 200,
  /** How long the hands may take. */
  sendMs: 20_000,
} as const
