/** Words that say nothing of what a text is about. What an apostrophe leaves behind is among them. */
export const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before being but by can could did do does doing don for from
  had has have having he her here hers him his how i if in into is it its just let ll m me more most my no nor not now of
  off on once only or other our ours out over own re s same she should so some such t than that the their theirs them then
  there these they this those through to too under until up ve very was we were what when where which while who whom why
  will with would you your yours d`.split(/\s+/),
);
