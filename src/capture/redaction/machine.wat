;; Runs a regular expression that `tools/expressions.mjs` made a program of; that file says what the instructions are.
;; A part of the scanner's module, for a module of its own takes V8 a quarter of a millisecond: `node tools/redaction.mjs scanner`
;; puts it at the end of `scanner.wat`.
;;
;; Memory, bytes: 196,608 the program, words of two bytes; 221,184 the text as UTF-16; 253,952 registers of four bytes, the
;; places of groups before counters; 254,464 the stack of what else may be tried: twelve bytes each. Where that goes beyond
;; the memory, the engine traps, and the caller asks V8.
;;
;; V8 makes faster code of a function when 1.8 million bytes of it have run, which costs a new process more than it saves: a
;; loop's way back counts as far as it goes. So what is common stands near the loop's beginning.
  (global $stack (mut i32) (i32.const 254464))
  (global $length (mut i32) (i32.const 0))
  ;; Whether anything looked beyond the text's beginning or end.
  (global $beyond (export "beyond") (mut i32) (i32.const 0))

  ;; The character at `pos`; beyond the text one that is in no set.
  (func $char (param $pos i32) (result i32)
    (if (i32.ge_u (local.get $pos) (global.get $length))
      (then (global.set $beyond (i32.const 1)) (return (i32.const 65536))))
    (i32.load16_u offset=221184 (i32.shl (local.get $pos) (i32.const 1))))

  ;; Whether the character is in the set: a bit for each below 128, then how many ranges of others, in order.
  (func $in (param $char i32) (param $set i32) (result i32)
    (local $end i32)
    (local.set $set (i32.shl (local.get $set) (i32.const 1)))
    (if (i32.lt_u (local.get $char) (i32.const 128))
      (then
        (return
          (i32.and
            (i32.shr_u
              (i32.load8_u offset=196608 (i32.add (local.get $set) (i32.shr_u (local.get $char) (i32.const 3))))
              (i32.and (local.get $char) (i32.const 7)))
            (i32.const 1)))))
    (local.set $end
      (i32.add (local.get $set) (i32.shl (i32.load16_u offset=196624 (local.get $set)) (i32.const 2))))
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $set) (local.get $end)))
        (br_if $none (i32.lt_u (local.get $char) (i32.load16_u offset=196626 (local.get $set))))
        (if (i32.le_u (local.get $char) (i32.load16_u offset=196628 (local.get $set)))
          (then (return (i32.const 1))))
        (local.set $set (i32.add (local.get $set) (i32.const 4)))
        (br $next)))
    (i32.const 0))

  (func $push (param $what i32) (param $pos i32) (param $more i32)
    (i32.store (global.get $stack) (local.get $what))
    (i32.store offset=4 (global.get $stack) (local.get $pos))
    (i32.store offset=8 (global.get $stack) (local.get $more))
    (global.set $stack (i32.add (global.get $stack) (i32.const 12))))

  ;; Where the characters of the set end that stand from `pos` on, at most `most` of them; `step` is 1, or -1 to go back.
  (func $skip (param $pos i32) (param $set i32) (param $most i32) (param $step i32) (result i32)
    (local $back i32)
    (local.set $back (i32.shr_s (local.get $step) (i32.const 31)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $most)))
        (br_if $done
          (i32.eqz
            (call $in (call $char (i32.add (local.get $pos) (local.get $back))) (local.get $set))))
        (local.set $pos (i32.add (local.get $pos) (local.get $step)))
        (local.set $most (i32.sub (local.get $most) (i32.const 1)))
        (br $next)))
    (local.get $pos))

  ;; Sets a register, and what it is again when what follows fails.
  (func $set (param $register i32) (param $value i32)
    (call $push
      (i32.or (local.get $register) (i32.const 0x10000))
      (i32.load offset=253952 (local.get $register))
      (i32.const 0))
    (i32.store offset=253952 (local.get $register) (local.get $value)))

  (func $isOfWord (param $pos i32) (result i32)
    (local $char i32)
    (local.set $char (call $char (local.get $pos)))
    (i32.or
      (i32.or
        (i32.lt_u (i32.sub (local.get $char) (i32.const 48)) (i32.const 10))
        (i32.eq (local.get $char) (i32.const 95)))
      (i32.lt_u
        (i32.sub (i32.or (local.get $char) (i32.const 32)) (i32.const 97))
        (i32.const 26))))

  ;; Whether a line ends there, or the text.
  (func $isBreak (param $pos i32) (result i32)
    (local $char i32)
    (local.set $char (call $char (local.get $pos)))
    (i32.or
      (i32.or
        (i32.eq (local.get $char) (i32.const 10))
        (i32.eq (local.get $char) (i32.const 13)))
      (i32.or
        (i32.eq (i32.or (local.get $char) (i32.const 1)) (i32.const 0x2029))
        (i32.eq (local.get $char) (i32.const 65536)))))

  ;; The n-th word behind the instruction.
  (func $word (param $pc i32) (param $n i32) (result i32)
    (i32.load16_u offset=196608
      (i32.add (local.get $pc) (i32.shl (local.get $n) (i32.const 1)))))

  (func $assert (param $what i32) (param $pos i32) (result i32)
    (local $before i32)
    (local.set $before (i32.sub (local.get $pos) (i32.const 1)))
    (if (i32.eqz (local.get $what))
      (then (return (i32.eq (call $char (local.get $before)) (i32.const 65536)))))
    (if (i32.eq (local.get $what) (i32.const 1))
      (then (return (i32.eq (call $char (local.get $pos)) (i32.const 65536)))))
    (if (i32.eq (local.get $what) (i32.const 2))
      (then (return (call $isBreak (local.get $before)))))
    (if (i32.eq (local.get $what) (i32.const 3)) (then (return (call $isBreak (local.get $pos)))))
    (i32.eq
      (i32.xor (call $isOfWord (local.get $pos)) (call $isOfWord (local.get $before)))
      (i32.eq (local.get $what) (i32.const 4))))

  ;; Where the match ends that begins at `pos`; -1 where none does.
  (func $run (param $pc i32) (param $pos i32) (result i32)
    (local $base i32) (local $what i32) (local $to i32) (local $least i32)
    (local.set $base (global.get $stack))
    (loop $next
      (block $fail
        (block $lazy (block $repeatBack (block $assertion (block $look (block $loop (block $count
        (block $zero (block $save (block $match (block $setBack (block $jump (block $split
        (block $repeat (block $if (block $in (block $is
          (br_table $is $in $if $repeat $split $jump $setBack $match $save $zero $count $loop $look
            $assertion $repeatBack $lazy $fail
            (i32.load16_u offset=196608 (local.get $pc))))
          ;; is: a character
          (br_if $fail (i32.ne (call $char (local.get $pos)) (call $word (local.get $pc) (i32.const 1))))
          (local.set $pos (i32.add (local.get $pos) (i32.const 1)))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; in: one of a set
          (br_if $fail
            (i32.eqz (call $in (call $char (local.get $pos)) (call $word (local.get $pc) (i32.const 1)))))
          (local.set $pos (i32.add (local.get $pos) (i32.const 1)))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; if: goes on only where one of a set stands, else elsewhere; where it fails, too
          (local.set $to (i32.shl (call $word (local.get $pc) (i32.const 2)) (i32.const 1)))
          (if (call $in (call $char (local.get $pos)) (call $word (local.get $pc) (i32.const 1)))
            (then
              (call $push (local.get $to) (local.get $pos) (i32.const 0))
              (local.set $to (i32.add (local.get $pc) (i32.const 6)))))
          (local.set $pc (local.get $to))
          (br $next))
          ;; repeat: as many of a set as there are, then one less
          (local.set $least (i32.add (local.get $pos) (call $word (local.get $pc) (i32.const 2))))
          (local.set $pos
            (call $skip
              (local.get $pos)
              (call $word (local.get $pc) (i32.const 1))
              (call $word (local.get $pc) (i32.const 3))
              (i32.const 1)))
          (br_if $fail (i32.lt_s (local.get $pos) (local.get $least)))
          (local.set $pc (i32.add (local.get $pc) (i32.const 8)))
          (if (i32.gt_s (local.get $pos) (local.get $least))
            (then
              (call $push
                (i32.or (local.get $pc) (i32.const 0x20000))
                (local.get $pos)
                (local.get $least))))
          (br $next))
          ;; split: goes on here, or elsewhere
          (call $push
            (i32.shl (call $word (local.get $pc) (i32.const 1)) (i32.const 1))
            (local.get $pos)
            (i32.const 0))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; jump
          (local.set $pc (i32.shl (call $word (local.get $pc) (i32.const 1)) (i32.const 1)))
          (br $next))
          ;; in, before `pos`
          (local.set $pos (i32.sub (local.get $pos) (i32.const 1)))
          (br_if $fail
            (i32.eqz (call $in (call $char (local.get $pos)) (call $word (local.get $pc) (i32.const 1)))))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; match
          (global.set $stack (local.get $base))
          (return (local.get $pos)))
          ;; save: the place in a register
          (call $set (call $word (local.get $pc) (i32.const 1)) (local.get $pos))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; zero: a counter
          (call $set (call $word (local.get $pc) (i32.const 1)) (i32.const 0))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; count: one more
          (call $set
            (call $word (local.get $pc) (i32.const 1))
            (i32.add (i32.load offset=253952 (call $word (local.get $pc) (i32.const 1))) (i32.const 1)))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; loop: once more, or on behind the loop; lazy the other way round
          (local.set $least (i32.load offset=253952 (call $word (local.get $pc) (i32.const 1))))
          (local.set $to (i32.shl (call $word (local.get $pc) (i32.const 4)) (i32.const 1)))
          (if (i32.ge_u (local.get $least) (call $word (local.get $pc) (i32.const 2)))
            (then
              (if (i32.ge_u (local.get $least) (call $word (local.get $pc) (i32.const 3)))
                (then (local.set $pc (local.get $to)) (br $next)))
              (if (call $word (local.get $pc) (i32.const 5))
                (then
                  (call $push (i32.add (local.get $pc) (i32.const 12)) (local.get $pos) (i32.const 0))
                  (local.set $pc (local.get $to))
                  (br $next)))
              (call $push (local.get $to) (local.get $pos) (i32.const 0))))
          (local.set $pc (i32.add (local.get $pc) (i32.const 12)))
          (br $next))
          ;; look: ahead or behind, whether that matches, or does not
          (br_if $fail
            (i32.eq
              (i32.ge_s (call $run (i32.add (local.get $pc) (i32.const 6)) (local.get $pos)) (i32.const 0))
              (call $word (local.get $pc) (i32.const 1))))
          (local.set $pc (i32.shl (call $word (local.get $pc) (i32.const 2)) (i32.const 1)))
          (br $next))
          ;; assertion
          (br_if $fail
            (i32.eqz (call $assert (call $word (local.get $pc) (i32.const 1)) (local.get $pos))))
          (local.set $pc (i32.add (local.get $pc) (i32.const 4)))
          (br $next))
          ;; repeat, before `pos`
          (local.set $least (i32.sub (local.get $pos) (call $word (local.get $pc) (i32.const 2))))
          (local.set $pos
            (call $skip
              (local.get $pos)
              (call $word (local.get $pc) (i32.const 1))
              (call $word (local.get $pc) (i32.const 3))
              (i32.const -1)))
          (br_if $fail (i32.gt_s (local.get $pos) (local.get $least)))
          (local.set $pc (i32.add (local.get $pc) (i32.const 8)))
          (if (i32.lt_s (local.get $pos) (local.get $least))
            (then
              (call $push
                (i32.or (local.get $pc) (i32.const 0x30000))
                (local.get $pos)
                (local.get $least))))
          (br $next))
          ;; lazy: as few of a set as needed, then one more
          (local.set $least (call $word (local.get $pc) (i32.const 2)))
          (local.set $to (i32.add (local.get $pos) (local.get $least)))
          (local.set $pos
            (call $skip (local.get $pos) (call $word (local.get $pc) (i32.const 1)) (local.get $least)
              (i32.const 1)))
          (br_if $fail (i32.lt_s (local.get $pos) (local.get $to)))
          (if (i32.gt_u (call $word (local.get $pc) (i32.const 3)) (local.get $least))
            (then
              (call $push
                (i32.or (local.get $pc) (i32.const 0x40000))
                (local.get $pos)
                (i32.sub (call $word (local.get $pc) (i32.const 3)) (local.get $least)))))
          (local.set $pc (i32.add (local.get $pc) (i32.const 8)))
          (br $next))
      ;; What else may be tried, from the newest on.
      (loop $back
        (if (i32.eq (global.get $stack) (local.get $base)) (then (return (i32.const -1))))
        (global.set $stack (i32.sub (global.get $stack) (i32.const 12)))
        (local.set $what (i32.load (global.get $stack)))
        (local.set $pc (i32.and (local.get $what) (i32.const 0xffff)))
        (local.set $pos (i32.load offset=4 (global.get $stack)))
        (local.set $least (i32.load offset=8 (global.get $stack)))
        (local.set $what (i32.shr_u (local.get $what) (i32.const 16)))
        (br_if $next (i32.eqz (local.get $what)))
        (if (i32.eq (local.get $what) (i32.const 1))
          (then
            (i32.store offset=253952 (local.get $pc) (local.get $pos))
            (br $back)))
        (if (i32.le_u (local.get $what) (i32.const 3))
          (then
            (local.set $pos
              (i32.add
                (local.get $pos)
                (select (i32.const -1) (i32.const 1) (i32.eq (local.get $what) (i32.const 2)))))
            (if (i32.ne (local.get $pos) (local.get $least))
              (then
                (call $push
                  (i32.or (local.get $pc) (i32.shl (local.get $what) (i32.const 16)))
                  (local.get $pos)
                  (local.get $least))))
            (br $next)))
        (br_if $back
          (i32.eqz (call $in (call $char (local.get $pos)) (call $word (local.get $pc) (i32.const 1)))))
        (local.set $pos (i32.add (local.get $pos) (i32.const 1)))
        (local.set $least (i32.sub (local.get $least) (i32.const 1)))
        (if (local.get $least)
          (then
            (call $push
              (i32.or (local.get $pc) (i32.const 0x40000))
              (local.get $pos)
              (local.get $least))))
        (local.set $pc (i32.add (local.get $pc) (i32.const 8)))
        (br $next))
      (unreachable))
    (unreachable))

  ;; Where the first match begins at `from` or later, or only there; -1 where none does. Its end is in the second register.
  ;; The program's first words: the set of what a match begins with, or 0; how many registers there are; how many groups;
  ;; whether it matches nowhere but at the text's beginning.
  (func (export "exec") (param $length i32) (param $from i32) (param $sticky i32) (result i32)
    (local $set i32) (local $end i32)
    (global.set $length (local.get $length))
    (global.set $stack (i32.const 254464))
    (global.set $beyond (i32.const 0))
    (local.set $sticky (i32.or (local.get $sticky) (i32.load16_u (i32.const 196614))))
    (local.set $set (i32.load16_u (i32.const 196608)))
    (memory.fill
      (i32.const 253952)
      (i32.const 255)
      (i32.shl (i32.load16_u (i32.const 196610)) (i32.const 2)))
    (block $none
      (loop $next
        (if (local.get $set)
          (then
            (block $begins
              (loop $skip
                (br_if $begins (call $in (call $char (local.get $from)) (local.get $set)))
                (br_if $none (local.get $sticky))
                (local.set $from (i32.add (local.get $from) (i32.const 1)))
                (br_if $skip (i32.lt_u (local.get $from) (local.get $length)))))))
        (br_if $none (i32.gt_u (local.get $from) (local.get $length)))
        (local.set $end (call $run (i32.const 8) (local.get $from)))
        (if (i32.ge_s (local.get $end) (i32.const 0))
          (then
            (i32.store (i32.const 253952) (local.get $from))
            (i32.store (i32.const 253956) (local.get $end))
            (return (local.get $from))))
        (br_if $none (local.get $sticky))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))
    (i32.const -1))
