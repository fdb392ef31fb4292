/**
 * Words that the stem cannot tell to be one: each line's first is what the others are forms of. Left out are forms that are
 * words of their own: left, ground, saw.
 */
const FORMS = `
become became,begin began begun,bend bent,bite bit bitten,blow blew blown,break broke broken,bring brought,build built
buy bought,catch caught,child children,choose chose chosen,come came,deal dealt,draw drew drawn,drink drank drunk
drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt,fight fought,find found,fly flew flown
forget forgot forgotten,freeze froze frozen,get got gotten,give gave given,go went gone goes,grow grew grown,hear heard
hide hid hidden,hold held,index indices,keep kept,know knew known,lead led,lend lent,lose lost,make made,man men
matrix matrices,mean meant,meet met,pay paid,person people,ride rode ridden,ring rang rung,run ran,say said,see seen
seek sought,sell sold,send sent,shake shook shaken,show shown,sing sang sung,sink sank sunk,sit sat,sleep slept
speak spoken,spend spent,stand stood,steal stole stolen,stick stuck,strike struck,swim swam swum,take took taken
teach taught,tell told,think thought,throw threw thrown,understand understood,vertex vertices,wake woke woken
wear wore worn,win won,woman women,write wrote written
`;

export const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split(/[\n,]/)
    .flatMap((line) => {
      const [base, ...forms] = line.split(' ') as [string, ...string[]];
      return forms.map((form) => [form, base] as const);
    }),
);
