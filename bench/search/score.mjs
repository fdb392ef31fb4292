/** Where what was looked for stands among the answers, each a list of ranks (0: not there). */
export const hitAt = (ranks, k) =>
  (100 * ranks.filter((rank) => rank > 0 && rank <= k).length) / ranks.length;

export const mrr = (ranks) =>
  ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;

export const rankOf = (answers, isWanted, deepest = 20) =>
  answers.slice(0, deepest).findIndex(isWanted) + 1;

export const percent = (value) => `${value.toFixed(1)} %`;
